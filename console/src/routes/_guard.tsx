import type { Id } from '@corral/contract';
import { createFileRoute, Outlet, redirect, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { SessionEndDialog } from '../features/sign-in/SessionEndDialog.tsx';
import { StepUpHost } from '../features/sign-in/StepUpHost.tsx';
import { configQuery, sessionQuery, userQuery } from '../data/queries-account.ts';
import { clearSession, isSessionConfirmed, lastUser, setLastUser } from '../data/session.ts';
import { ConfirmHost } from '../parts/ConfirmHost.tsx';
import { AppShell } from '../shell/AppShell.tsx';
import { useBackClosesDialogs } from '../shell/use-back-closes-dialogs.ts';
import { SplashScreen } from '../shell/SplashScreen.tsx';
import { DraftsContext, useDraftsOf } from '../ui/form/drafts.ts';

export const Route = createFileRoute('/_guard')({
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const known = queryClient.getQueryData(sessionQuery.queryKey)?.userId ?? lastUser();
    if (known !== undefined) {
      // Stale from the start, so that the shell asks the hub while the page loads.
      if (!isSessionConfirmed(queryClient))
        queryClient.setQueryData(sessionQuery.queryKey, { userId: known }, { updatedAt: 0 });
      return { userId: known };
    }
    const session = await queryClient.ensureQueryData(sessionQuery).catch(() => undefined);
    if (session === undefined) throw redirect({ to: '/login', search: { redirect: location.href } });
    setLastUser(session.userId);
    return { userId: session.userId };
  },
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(configQuery);
    void context.queryClient.prefetchQuery(userQuery(context.userId));
  },
  pendingMs: 150,
  // No minimum display time: the page replaces the splash screen as soon as it is ready.
  pendingMinMs: 0,
  pendingComponent: SplashScreen,
  component: Guarded,
});

function Guarded() {
  const { userId } = Route.useRouteContext();
  useConfirmedSession(userId);
  useBackClosesDialogs();
  return (
    <DraftsContext value={useDraftsOf(userId)}>
      <AppShell userId={userId}>
        <Outlet />
        <ConfirmHost />
        <StepUpHost userId={userId} />
        <SessionEndDialog userId={userId} />
      </AppShell>
    </DraftsContext>
  );
}

/** Confirms with the hub a user who is known only from the browser. If the session is over or belongs to another user, the guard runs again. */
function useConfirmedSession(userId: Id<'user'>): void {
  const router = useRouter();
  const { queryClient } = router.options.context;
  useEffect(() => {
    if (isSessionConfirmed(queryClient)) return;
    const startAgain = () => {
      clearSession(queryClient);
      void router.invalidate();
    };
    queryClient.fetchQuery(sessionQuery).then((session) => {
      if (session.userId !== userId) startAgain();
    }, startAgain);
  }, [router, queryClient, userId]);
}
