import { createFileRoute } from '@tanstack/react-router';
import { AssetsPage, type AssetsSearch } from '../../../../features/assets/AssetsPage.tsx';
import { repositoryAssetsQuery } from '../../../../features/assets/queries.ts';
import { rowsPerPage } from '../../../../parts/list-limits.ts';
import { asSearch, searchText } from '../../../../parts/search-values.ts';
import { parseTableSearch } from '../../../../parts/table-search.ts';

export const Route = createFileRoute('/_guard/repositories/$repositoryId/assets')({
  validateSearch: (search: Record<string, unknown>): AssetsSearch => ({
    ...parseTableSearch(search),
    ...asSearch({ asset: searchText(search['asset']) }),
  }),
  loader: ({ context, params }) =>
    context.queryClient.ensureQueryData(repositoryAssetsQuery(params.repositoryId, rowsPerPage)),
  component: Assets,
});

function Assets() {
  const { repositoryId } = Route.useParams();
  return <AssetsPage key={repositoryId} repositoryId={repositoryId} />;
}
