import type { Id } from '@corral/contract';
import { createFileRoute, notFound, Outlet } from '@tanstack/react-router';
import { NotFoundScreen, wayTo } from '../../../shell/not-found/NotFoundScreen.tsx';
import { ProjectNavigation, ProjectSidebar } from '../../../shell/ProjectNavigation.tsx';
import { PendingScreen } from '../../../shell/PendingScreen.tsx';
import { isNotFound } from '../../../data/query-client.ts';
import { userProjectsQuery } from '../../../data/queries-account.ts';
import { useLoadedQuery } from '../../../data/use-loaded-query.ts';
import { projectQuery } from '../../../data/queries-projects.ts';

export const Route = createFileRoute('/_guard/projects/$projectId')({
  params: {
    // Not validated here: the hub answers an invalid id like one that does not exist.
    parse: ({ projectId }) => ({ projectId: projectId as Id<'project'> }),
    stringify: ({ projectId }) => ({ projectId }),
  },
  loader: async ({ context, params }) => {
    void context.queryClient.prefetchQuery(userProjectsQuery(context.userId));
    try {
      await context.queryClient.ensureQueryData(projectQuery(params.projectId));
    } catch (error) {
      throw isNotFound(error) ? notFound() : error;
    }
  },
  notFoundComponent: () => <NotFoundScreen back={wayTo('projects')} />,
  pendingComponent: ProjectPending,
  component: ProjectLayout,
});

function ProjectLayout() {
  const { projectId } = Route.useParams();
  const { userId } = Route.useRouteContext();
  const { data: project, error } = useLoadedQuery(projectQuery(projectId));
  // Deleted, or closed to the user, while the page was open.
  if (isNotFound(error)) throw notFound();
  return (
    <>
      <ProjectNavigation userId={userId} project={project} />
      <Outlet />
    </>
  );
}

/** The sidebar and a skeleton of the page, while the project loads. */
function ProjectPending() {
  const { projectId } = Route.useParams();
  return (
    <>
      <ProjectSidebar projectId={projectId} project={undefined} others={[]} />
      <PendingScreen />
    </>
  );
}
