import { createFileRoute } from '@tanstack/react-router';
import { userTokensQuery } from '../../../features/account/security/queries.ts';
import { SecurityPage } from '../../../features/account/security/SecurityPage.tsx';
import { parseTableSearch } from '../../../parts/table-search.ts';

export const Route = createFileRoute('/_guard/settings/security')({
  validateSearch: parseTableSearch,
  loader: ({ context }) => context.queryClient.ensureQueryData(userTokensQuery(context.userId)),
  component: Security,
});

function Security() {
  const { userId } = Route.useRouteContext();
  return <SecurityPage userId={userId} />;
}
