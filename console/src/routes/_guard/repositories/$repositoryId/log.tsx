import { createFileRoute } from '@tanstack/react-router';
import { repositoryLogQuery } from '../../../../data/queries-repositories.ts';
import { logFilterOf, parseLogSearch } from '../../../../features/log/log-search.ts';
import { RepositoryLog } from '../../../../features/log/RepositoryLog.tsx';
import { logPageSize } from '../../../../features/log/use-log-pages.ts';

export const Route = createFileRoute('/_guard/repositories/$repositoryId/log')({
  validateSearch: parseLogSearch,
  loaderDeps: ({ search: { type, actor, range } }) => ({ type, actor, range }),
  loader: async ({ context, params, deps }) => {
    const filter = logFilterOf(deps, Date.now());
    const page = { limit: logPageSize, ...(filter === undefined ? {} : { filter }) };
    await context.queryClient.ensureQueryData(repositoryLogQuery(params.repositoryId, page));
    return filter;
  },
  component: Log,
});

function Log() {
  const { repositoryId } = Route.useParams();
  const filter = Route.useLoaderData();
  // A new key per filter discards the pages of the former one.
  return <RepositoryLog key={`${repositoryId} ${filter}`} {...{ repositoryId, filter }} />;
}
