import { createFileRoute } from '@tanstack/react-router';
import { userQuery } from '../../../data/queries-account.ts';
import { ProfilePage } from '../../../features/account/profile/ProfilePage.tsx';

export const Route = createFileRoute('/_guard/settings/profile')({
  loader: ({ context }) => context.queryClient.ensureQueryData(userQuery(context.userId)),
  component: Profile,
});

function Profile() {
  const { userId } = Route.useRouteContext();
  return <ProfilePage userId={userId} />;
}
