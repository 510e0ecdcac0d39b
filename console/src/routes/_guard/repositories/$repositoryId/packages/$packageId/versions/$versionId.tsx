import type { Id } from '@corral/contract';
import { createFileRoute, notFound } from '@tanstack/react-router';
import { isNotFound } from '../../../../../../../data/query-client.ts';
import { parseFileSearch } from '../../../../../../../features/packages/files/file-search.ts';
import { versionQuery } from '../../../../../../../features/packages/queries.ts';
import { VersionPage } from '../../../../../../../features/packages/version/VersionPage.tsx';
import { NotFoundScreen } from '../../../../../../../shell/not-found/NotFoundScreen.tsx';

export const Route = createFileRoute(
  '/_guard/repositories/$repositoryId/packages/$packageId/versions/$versionId',
)({
  params: {
    // Not validated here: the hub answers an invalid id like one that does not exist.
    parse: ({ versionId }) => ({ versionId: versionId as Id<'packageVersion'> }),
    stringify: ({ versionId }) => ({ versionId }),
  },
  validateSearch: parseFileSearch,
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
