import { createFileRoute } from '@tanstack/react-router';
import { packageVersionsQuery, tagHistoryQuery } from '../../../../../../features/packages/queries.ts';
import {
  type HistorySearch,
  TagHistoryPage,
} from '../../../../../../features/packages/tags/TagHistoryPage.tsx';
import { rowsPerPage } from '../../../../../../parts/list-limits.ts';
import { asSearch, searchText } from '../../../../../../parts/search-values.ts';

export const Route = createFileRoute('/_guard/repositories/$repositoryId/packages/$packageId/tags')({
  validateSearch: (search: Record<string, unknown>): HistorySearch =>
    asSearch({ tag: searchText(search['tag']) }),
  loaderDeps: ({ search: { tag } }) => ({ tag }),
  loader: async ({ context: { queryClient }, params: { packageId }, deps: { tag } }) => {
    void queryClient.prefetchQuery(packageVersionsQuery(packageId, rowsPerPage));
    await queryClient.ensureQueryData(tagHistoryQuery(packageId, tag, rowsPerPage));
  },
  component: TagHistory,
});

function TagHistory() {
  const { repositoryId, packageId } = Route.useParams();
  return <TagHistoryPage key={packageId} {...{ repositoryId, packageId }} />;
}
