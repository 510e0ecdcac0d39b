import { createFileRoute } from '@tanstack/react-router';
import { repositoryLogQuery } from '../../../../data/queries-repositories.ts';
import { parseLogSearch } from '../../../../features/log/log-search.ts';
import { RepositoryLog } from '../../../../features/log/RepositoryLog.tsx';
import { logPageSize } from '../../../../features/log/use-log-pages.ts';

export const Route = createFileRoute('/_guard/repositories/$repositoryId/log')({
  validateSearch: parseLogSearch,
  loader: ({ context, params }) =>
    context.queryClient.ensureQueryData(repositoryLogQuery(params.repositoryId, { limit: logPageSize })),
  component: Log,
});

function Log() {
  const { repositoryId } = Route.useParams();
  return <RepositoryLog key={repositoryId} repositoryId={repositoryId} />;
}
