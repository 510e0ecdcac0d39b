import type { Id } from '@corral/contract';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { isNotFound } from '../../../../../../../data/query-client.ts';
import { versionQuery } from '../../../../../../../features/packages/queries.ts';
import {
  VersionPage,
  type VersionSearch,
} from '../../../../../../../features/packages/version/VersionPage.tsx';
import { asSearch, searchText } from '../../../../../../../parts/search-values.ts';
import { parseTableSearch, type TableSearch } from '../../../../../../../parts/table-search.ts';
import { NotFoundScreen } from '../../../../../../../shell/not-found/NotFoundScreen.tsx';

export const Route = createFileRoute(
  '/_guard/repositories/$repositoryId/packages/$packageId/versions/$versionId',
)({
  params: {
    // Not validated here: the hub answers an invalid id like one that does not exist.
    parse: ({ versionId }) => ({ versionId: versionId as Id<'packageVersion'> }),
    stringify: ({ versionId }) => ({ versionId }),
  },
  validateSearch: (search: Record<string, unknown>): TableSearch & VersionSearch => ({
    ...parseTableSearch(search),
    ...asSearch({ file: searchText(search['file']) }),
  }),
  loader: async ({ context, params: { packageId, versionId } }) => {
    const version = await context.queryClient
      .ensureQueryData(versionQuery(versionId))
      .catch((error: unknown) => {
        throw isNotFound(error) ? notFound() : error;
      });
    if (version.packageId !== packageId) throw notFound();
  },
  notFoundComponent: () => <NotFoundScreen />,
  component: Version,
});

function Version() {
  const { repositoryId, packageId, versionId } = Route.useParams();
  return <VersionPage key={versionId} {...{ repositoryId, packageId, versionId }} />;
}
