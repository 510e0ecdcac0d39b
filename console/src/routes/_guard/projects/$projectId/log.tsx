import { createFileRoute } from '@tanstack/react-router';
import { useCallback } from 'react';
import { parseLogSearch, type LogSearch } from '../../../../features/log/log-search.ts';
import { ProjectLog } from '../../../../features/log/ProjectLog.tsx';
import { logPageSize } from '../../../../features/log/use-project-log.ts';
import { projectLogQuery } from '../../../../data/queries-projects.ts';

export const Route = createFileRoute('/_guard/projects/$projectId/log')({
  validateSearch: parseLogSearch,
  loader: ({ context, params }) =>
    context.queryClient.ensureQueryData(projectLogQuery(params.projectId, { limit: logPageSize })),
  component: Log,
});

function Log() {
  const { projectId } = Route.useParams();
  const search = Route.useSearch();
  const navigate = Route.useNavigate();
  const change = useCallback(
    (next: LogSearch) => void navigate({ search: next, replace: true, resetScroll: false }),
    [navigate],
  );
  return <ProjectLog key={projectId} {...{ projectId, search }} onSearchChange={change} />;
}
