import { createFileRoute } from '@tanstack/react-router';
import { UserSessions } from '../../../features/account/sessions/UserSessions.tsx';
import { userSessionsQuery } from '../../../data/queries-account.ts';

export const Route = createFileRoute('/_guard/settings/sessions')({
  loader: ({ context }) => context.queryClient.ensureQueryData(userSessionsQuery(context.userId)),
  component: Sessions,
});

function Sessions() {
  const { userId } = Route.useRouteContext();
  return <UserSessions userId={userId} />;
}
