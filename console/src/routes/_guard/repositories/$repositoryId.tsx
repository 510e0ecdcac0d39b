import type { Id } from '@corral/contract';
import { createFileRoute, notFound, Outlet } from '@tanstack/react-router';
import { NotFoundScreen, wayTo } from '../../../shell/not-found/NotFoundScreen.tsx';
import { RepositoryNavigation, RepositorySidebar } from '../../../shell/RepositoryNavigation.tsx';
import { PendingScreen } from '../../../shell/PendingScreen.tsx';
import { isNotFound } from '../../../data/query-client.ts';
import { repositoryQuery, userRepositoriesQuery } from '../../../data/queries-repositories.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';

export const Route = createFileRoute('/_guard/repositories/$repositoryId')({
  params: {
    // Not validated here: the hub answers an invalid id like one that does not exist.
    parse: ({ repositoryId }) => ({ repositoryId: repositoryId as Id<'repository'> }),
    stringify: ({ repositoryId }) => ({ repositoryId }),
  },
  loader: async ({ context, params }) => {
    void context.queryClient.prefetchQuery(userRepositoriesQuery(context.userId));
    try {
      await context.queryClient.ensureQueryData(repositoryQuery(params.repositoryId));
    } catch (error) {
      throw isNotFound(error) ? notFound() : error;
    }
  },
  notFoundComponent: () => <NotFoundScreen back={wayTo('repositories')} />,
  pendingComponent: RepositoryPending,
  component: RepositoryLayout,
});

function RepositoryLayout() {
  const { repositoryId } = Route.useParams();
  const { userId } = Route.useRouteContext();
  const { data: repository, error } = useLoadedQuery(repositoryQuery(repositoryId));
  // Deleted, or closed to the user, while the page was open.
  if (isNotFound(error)) throw notFound();
  return (
    <>
      <RepositoryNavigation userId={userId} repository={repository} />
      <Outlet />
    </>
  );
}

/** The sidebar and a skeleton of the page, while the repository loads. */
function RepositoryPending() {
  const { repositoryId } = Route.useParams();
  return (
    <>
      <RepositorySidebar repositoryId={repositoryId} repository={undefined} others={[]} />
      <PendingScreen />
    </>
  );
}
