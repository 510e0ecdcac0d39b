import { createFileRoute } from '@tanstack/react-router';
import { ComparePage, type CompareSearch } from '../../../../../../features/packages/compare/ComparePage.tsx';
import { otherShownFiles } from '../../../../../../features/packages/compare/shown-choice.ts';
import { packageVersionsQuery } from '../../../../../../features/packages/queries.ts';
import { rowsPerPage } from '../../../../../../parts/list-limits.ts';
import { asSearch, searchChoice, searchText } from '../../../../../../parts/search-values.ts';

export const Route = createFileRoute('/_guard/repositories/$repositoryId/packages/$packageId/compare')({
  validateSearch: (search: Record<string, unknown>): CompareSearch =>
    asSearch({
      from: searchText(search['from']),
      to: searchText(search['to']),
      show: searchChoice(search['show'], otherShownFiles),
    }),
  loader: ({ context, params }) =>
    context.queryClient.ensureQueryData(packageVersionsQuery(params.packageId, rowsPerPage)),
  component: Compare,
});

function Compare() {
  const { repositoryId, packageId } = Route.useParams();
  return <ComparePage key={packageId} {...{ repositoryId, packageId }} />;
}
