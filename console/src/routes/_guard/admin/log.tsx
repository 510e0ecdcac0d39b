import type { Id } from '@corral/contract';
import { createFileRoute } from '@tanstack/react-router';
import { instanceLogQuery, sinceOf } from '../../../features/log/instance-queries.ts';
import { InstanceLog } from '../../../features/log/InstanceLog.tsx';
import { parseLogSearch } from '../../../features/log/log-search.ts';
import { logPageSize } from '../../../features/log/use-log-pages.ts';
import { omitUndefined } from '../../../parts/search-values.ts';

export const Route = createFileRoute('/_guard/admin/log')({
  validateSearch: parseLogSearch,
  loaderDeps: ({ search: { type, actor, range, action } }) => ({ type, actor, range, action }),
  loader: async ({ context, deps: { type, actor, range, action } }) => {
    const filter = omitUndefined({
      event: type,
      actor,
      since: sinceOf(range),
      actionId: action as Id<'auditAction'> | undefined,
    });
    await context.queryClient.ensureQueryData(instanceLogQuery(filter, { limit: logPageSize }));
    return filter;
  },
  component: Log,
});

function Log() {
  const filter = Route.useLoaderData();
  // A new key per filter discards the pages of the former one; a range that is loaded again is the same filter.
  return <InstanceLog key={JSON.stringify(Route.useLoaderDeps())} filter={filter} />;
}
