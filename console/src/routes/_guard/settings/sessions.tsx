import { createFileRoute } from '@tanstack/react-router';
import { userSessionsQuery } from '../../../data/queries-account.ts';
import { UserSessions } from '../../../features/account/sessions/UserSessions.tsx';
import { parseTableSearch } from '../../../parts/table-search.ts';

export const Route = createFileRoute('/_guard/settings/sessions')({
  validateSearch: parseTableSearch,
  loader: ({ context }) => context.queryClient.ensureQueryData(userSessionsQuery(context.userId)),
  component: Sessions,
});

function Sessions() {
  const { userId } = Route.useRouteContext();
  return <UserSessions userId={userId} />;
}
