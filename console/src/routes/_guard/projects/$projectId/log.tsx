import { createFileRoute } from '@tanstack/react-router';
import { projectLogQuery } from '../../../../data/queries-projects.ts';
import { logFilterOf } from '../../../../features/log/log-filter.ts';
import { parseLogSearch } from '../../../../features/log/log-search.ts';
import { ProjectLog } from '../../../../features/log/ProjectLog.tsx';
import { logPageSize } from '../../../../features/log/use-log-pages.ts';

export const Route = createFileRoute('/_guard/projects/$projectId/log')({
  validateSearch: parseLogSearch,
  loaderDeps: ({ search: { type, actor, range } }) => ({ type, actor, range }),
  loader: async ({ context, params, deps }) => {
    const filter = logFilterOf(deps);
    const page = { limit: logPageSize, ...(filter === undefined ? {} : { filter }) };
    await context.queryClient.ensureQueryData(projectLogQuery(params.projectId, page));
    return filter;
  },
  component: Log,
});

function Log() {
  const { projectId } = Route.useParams();
  const filter = Route.useLoaderData();
  // A new key per filter discards the pages of the former one; a range that is loaded again is the same filter.
  const key = JSON.stringify([projectId, Route.useLoaderDeps()]);
  return <ProjectLog key={key} {...{ projectId, filter }} />;
}
