import { createFileRoute } from '@tanstack/react-router';
import { userProjectsQuery } from '../../../data/queries-account.ts';
import { ProjectsPage } from '../../../features/projects/ProjectsPage.tsx';
import type { ProjectSort } from '../../../parts/project-order.ts';

export const Route = createFileRoute('/_guard/projects/')({
  // Every key must be present: the router keeps the raw value of a key that is left out.
  validateSearch: (search: Record<string, unknown>): { sort?: ProjectSort | undefined } => ({
    sort: search['sort'] === 'name' ? 'name' : undefined,
  }),
  loader: ({ context }) => context.queryClient.ensureQueryData(userProjectsQuery(context.userId)),
  component: Projects,
});

function Projects() {
  const { userId } = Route.useRouteContext();
  const { sort = 'trouble' } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ProjectsPage
      userId={userId}
      sort={sort}
      onSortChange={(next) => void navigate({ search: next === 'name' ? { sort: next } : {}, replace: true })}
    />
  );
}
