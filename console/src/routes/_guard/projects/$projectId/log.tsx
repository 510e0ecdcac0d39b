import { createFileRoute } from '@tanstack/react-router';
import { projectLogQuery } from '../../../../data/queries-projects.ts';
import { parseLogSearch } from '../../../../features/log/log-search.ts';
import { ProjectLog } from '../../../../features/log/ProjectLog.tsx';
import { logPageSize } from '../../../../features/log/use-log-pages.ts';

export const Route = createFileRoute('/_guard/projects/$projectId/log')({
  validateSearch: parseLogSearch,
  loader: ({ context, params }) =>
    context.queryClient.ensureQueryData(projectLogQuery(params.projectId, { limit: logPageSize })),
  component: Log,
});

function Log() {
  const { projectId } = Route.useParams();
  return <ProjectLog key={projectId} projectId={projectId} />;
}
