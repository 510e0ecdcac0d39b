import { createFileRoute } from '@tanstack/react-router';
import { repositoryPackagesQuery } from '../../../../../data/queries-repositories.ts';
import { PackagesPage } from '../../../../../features/packages/PackagesPage.tsx';
import { rowsPerPage } from '../../../../../parts/list-limits.ts';
import { parseTableSearch } from '../../../../../parts/table-search.ts';

export const Route = createFileRoute('/_guard/repositories/$repositoryId/packages/')({
  validateSearch: parseTableSearch,
  loader: ({ context, params }) =>
    context.queryClient.ensureQueryData(repositoryPackagesQuery(params.repositoryId, rowsPerPage)),
  component: Packages,
});

function Packages() {
  const { repositoryId } = Route.useParams();
  return <PackagesPage key={repositoryId} repositoryId={repositoryId} />;
}
