import { createFileRoute } from '@tanstack/react-router';
import { repositoryLogQuery, repositoryQuery } from '../../../../data/queries-repositories.ts';
import { logFilterOf } from '../../../../features/log/log-filter.ts';
import { parseLogSearch } from '../../../../features/log/log-search.ts';
import { RepositoryLog } from '../../../../features/log/RepositoryLog.tsx';
import { logPageSize } from '../../../../features/log/use-log-pages.ts';
import { MembersOnly } from '../../../../parts/MembersOnly.tsx';

export const Route = createFileRoute('/_guard/repositories/$repositoryId/log')({
  validateSearch: parseLogSearch,
  loaderDeps: ({ search: { type, actor, range } }) => ({ type, actor, range }),
  loader: async ({ context: { queryClient }, params: { repositoryId }, deps }) => {
    const filter = logFilterOf(deps);
    const { canWrite: isMember } = await queryClient.ensureQueryData(repositoryQuery(repositoryId));
    if (!isMember) return { isMember, filter };
    const page = { limit: logPageSize, ...(filter === undefined ? {} : { filter }) };
    await queryClient.ensureQueryData(repositoryLogQuery(repositoryId, page));
    return { isMember, filter };
  },
  component: Log,
});

function Log() {
  const { repositoryId } = Route.useParams();
  const { isMember, filter } = Route.useLoaderData();
  const key = JSON.stringify([repositoryId, Route.useLoaderDeps()]);
  if (!isMember) return <MembersOnly />;
  // A new key per filter discards the pages of the former one; a range that is loaded again is the same filter.
  return <RepositoryLog key={key} {...{ repositoryId, filter }} />;
}
