import { createFileRoute } from '@tanstack/react-router';
import { projectRepositoriesQuery, userRepositoriesQuery } from '../../../../data/queries-repositories.ts';
import { ProjectRepositoriesPage } from '../../../../features/project-repositories/ProjectRepositoriesPage.tsx';
import { parseTableSearch } from '../../../../parts/table-search.ts';

export const Route = createFileRoute('/_guard/projects/$projectId/repositories')({
  validateSearch: parseTableSearch,
  loader: ({ context: { queryClient, userId }, params }) =>
    Promise.all([
      queryClient.ensureQueryData(projectRepositoriesQuery(params.projectId)),
      queryClient.ensureQueryData(userRepositoriesQuery(userId)),
    ]),
  component: Repositories,
});

function Repositories() {
  const { projectId } = Route.useParams();
  const { userId } = Route.useRouteContext();
  return <ProjectRepositoriesPage key={projectId} {...{ userId, projectId }} />;
}
