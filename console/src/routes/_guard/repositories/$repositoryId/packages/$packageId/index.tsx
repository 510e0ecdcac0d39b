import { createFileRoute } from '@tanstack/react-router';
import { PackagePage } from '../../../../../../features/packages/package/PackagePage.tsx';
import { packageLadderQuery, packageVersionsQuery } from '../../../../../../features/packages/queries.ts';
import { rowsPerPage } from '../../../../../../parts/list-limits.ts';
import { parseTableSearch } from '../../../../../../parts/table-search.ts';

export const Route = createFileRoute('/_guard/repositories/$repositoryId/packages/$packageId/')({
  validateSearch: parseTableSearch,
  loader: ({ context: { queryClient }, params: { packageId } }) =>
    Promise.all([
      queryClient.ensureQueryData(packageVersionsQuery(packageId, rowsPerPage)),
      queryClient.ensureQueryData(packageLadderQuery(packageId)),
    ]),
  component: Package,
});

function Package() {
  const { repositoryId, packageId } = Route.useParams();
  return <PackagePage key={packageId} {...{ repositoryId, packageId }} />;
}
