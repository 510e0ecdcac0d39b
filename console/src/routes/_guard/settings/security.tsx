import { createFileRoute } from '@tanstack/react-router';
import { secondFactorsQuery, userTokensQuery } from '../../../features/account/security/queries.ts';
import { SecurityPage } from '../../../features/account/security/SecurityPage.tsx';
import { parseTableSearch } from '../../../parts/table-search.ts';

export const Route = createFileRoute('/_guard/settings/security')({
  validateSearch: parseTableSearch,
  loader: ({ context: { queryClient, userId } }) =>
    Promise.all([
      queryClient.ensureQueryData(secondFactorsQuery(userId)),
      queryClient.ensureQueryData(userTokensQuery(userId)),
    ]),
  component: Security,
});

function Security() {
  const { userId } = Route.useRouteContext();
  return <SecurityPage userId={userId} />;
}
