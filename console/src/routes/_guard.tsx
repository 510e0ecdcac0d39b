import { createFileRoute, Outlet, redirect } from '@tanstack/react-router';
import { AppShell } from '../shell/AppShell.tsx';
import { SessionEndDialog } from '../features/sign-in/SessionEndDialog.tsx';
import { ConfirmHost } from '../parts/ConfirmHost.tsx';
import { SplashScreen } from '../shell/SplashScreen.tsx';
import { configQuery, sessionQuery, userQuery } from '../data/queries-account.ts';

export const Route = createFileRoute('/_guard')({
  beforeLoad: async ({ context, location }) => {
    const session = await context.queryClient.ensureQueryData(sessionQuery).catch(() => undefined);
    if (session === undefined) {
      throw redirect({ to: '/login', search: location.href === '/' ? {} : { redirect: location.href } });
    }
    return { userId: session.userId };
  },
  loader: async ({ context }) => {
    void context.queryClient.prefetchQuery(configQuery);
    await context.queryClient.prefetchQuery(userQuery(context.userId));
  },
  pendingMs: 150,
  // No minimum display time: the page replaces the splash screen as soon as it is ready.
  pendingMinMs: 0,
  pendingComponent: SplashScreen,
  component: Guarded,
});

function Guarded() {
  const { userId } = Route.useRouteContext();
  return (
    <AppShell userId={userId}>
      <Outlet />
      <ConfirmHost />
      <SessionEndDialog userId={userId} />
    </AppShell>
  );
}
