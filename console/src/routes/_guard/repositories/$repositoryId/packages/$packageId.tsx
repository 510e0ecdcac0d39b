import type { Id } from '@corral/contract';
import { createFileRoute, notFound, Outlet } from '@tanstack/react-router';
import { isNotFound } from '../../../../../data/query-client.ts';
import { useLoadedQuery } from '../../../../../data/use-loaded-query.ts';
import { packageQuery } from '../../../../../features/packages/queries.ts';
import { NotFoundScreen } from '../../../../../shell/not-found/NotFoundScreen.tsx';

export const Route = createFileRoute('/_guard/repositories/$repositoryId/packages/$packageId')({
  params: {
    // Not validated here: the hub answers an invalid id like one that does not exist.
    parse: ({ packageId }) => ({ packageId: packageId as Id<'package'> }),
    stringify: ({ packageId }) => ({ packageId }),
  },
  loader: async ({ context, params: { repositoryId, packageId } }) => {
    const details = await context.queryClient
      .ensureQueryData(packageQuery(packageId))
      .catch((error: unknown) => {
        throw isNotFound(error) ? notFound() : error;
      });
    if (details.repositoryId !== repositoryId) throw notFound();
  },
  notFoundComponent: () => <NotFoundScreen />,
  component: PackageLayout,
});

function PackageLayout() {
  const { packageId } = Route.useParams();
  const { error } = useLoadedQuery(packageQuery(packageId));
  // Deleted, or closed to the user, while the page was open.
  if (isNotFound(error)) throw notFound();
  return <Outlet />;
}
