import { createFileRoute } from '@tanstack/react-router';
import { identitiesQuery } from '../../../features/account/security/queries.ts';
import { secondFactorsQuery } from '../../../parts/second-factor/queries.ts';
import { SecurityPage } from '../../../features/account/security/SecurityPage.tsx';
import { asSearch, searchText } from '../../../parts/search-values.ts';
import { parseTableSearch, type TableSearch } from '../../../parts/table-search.ts';
import { userTokensQuery } from '../../../parts/user-tokens/token-data.ts';

export const Route = createFileRoute('/_guard/settings/security')({
  validateSearch: (search: Record<string, unknown>): TableSearch & { provider?: string } => ({
    ...parseTableSearch(search),
    // The word with which the hub leads back from the provider.
    ...asSearch({ provider: searchText(search['provider']) }),
  }),
  loader: ({ context: { queryClient, userId } }) =>
    Promise.all([
      queryClient.ensureQueryData(secondFactorsQuery(userId)),
      queryClient.ensureQueryData(identitiesQuery(userId)),
      queryClient.ensureQueryData(userTokensQuery(userId)),
    ]),
  component: Security,
});

function Security() {
  const { userId } = Route.useRouteContext();
  return <SecurityPage userId={userId} answer={Route.useSearch().provider} />;
}
