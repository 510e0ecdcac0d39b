import { createFileRoute } from '@tanstack/react-router';
import { ActionsPage } from '../../../features/log/actions/ActionsPage.tsx';
import { parseActionsSearch } from '../../../features/log/actions/actions-search.ts';
import { actionCountsQuery, actionsQuery, sinceOf } from '../../../features/log/instance-queries.ts';
import { logPageSize } from '../../../features/log/use-log-pages.ts';
import { omitUndefined } from '../../../parts/search-values.ts';

export const Route = createFileRoute('/_guard/admin/actions')({
  validateSearch: parseActionsSearch,
  loaderDeps: ({ search: { type, actor, range, status } }) => ({ type, actor, range, status }),
  loader: async ({ context, deps: { type, actor, range, status } }) => {
    const filter = omitUndefined({ action: type, actor, since: sinceOf(range), status });
    await Promise.all([
      context.queryClient.ensureQueryData(actionsQuery(filter, { limit: logPageSize })),
      // Before the page, so that the line above the list moves nothing. It never fails.
      context.queryClient.prefetchQuery(actionCountsQuery()),
    ]);
    return filter;
  },
  component: Actions,
});

function Actions() {
  const filter = Route.useLoaderData();
  // A new key per filter discards the pages of the former one; a range that is loaded again is the same filter.
  return <ActionsPage key={JSON.stringify(Route.useLoaderDeps())} filter={filter} />;
}
