import type { Id } from '@corral/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ComponentProps, useEffect, useSyncExternalStore } from 'react';
import { signInCopy } from './copy.ts';
import { sessionQuery, userQuery } from '../../data/queries-account.ts';
import { clearSession } from '../../data/session.ts';
import { subscribeToSignOut } from '../../data/sign-out-channel.ts';
import { useLazyModule } from '../../parts/use-lazy-module.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';

const loadLoginForm = async () => {
  const { LoginForm } = await import('./LoginForm.tsx');
  return (props: ComponentProps<typeof LoginForm>) => <LoginForm {...props} />;
};

/**
 * Asks to sign in again when the session has ended while a page is open, or when the user signed out in another tab, so that no input is
 * lost. Afterwards all queries are read again, and what the hub refused is sent again. A different user who signs in starts at the projects page.
 */
export function SessionEndDialog({ userId }: { userId: Id<'user'> }) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const { sessionEnd } = router.options.context;
  const ending = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.ending);
  const isOver = ending !== undefined;
  useEffect(() => subscribeToSignOut(() => sessionEnd.end('signedOut')), [sessionEnd]);
  const renderLoginForm = useLazyModule(loadLoginForm, isOver);
  // Polls every minute, so that an ended session is noticed on pages that read nothing.
  useQuery(sessionQuery);
  const email = queryClient.getQueryData(userQuery(userId).queryKey)?.email;
  async function resume(): Promise<void> {
    const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    const isSameUser = session.userId === userId;
    sessionEnd.resume(isSameUser);
    if (!isSameUser) {
      await router.navigate({ to: '/projects' });
      clearSession(queryClient);
      await router.invalidate();
      return;
    }
    // Loads a page that failed meanwhile; the mounted page stays, with its input.
    await Promise.all([queryClient.invalidateQueries(), router.invalidate()]);
  }
  async function leave(): Promise<void> {
    sessionEnd.resume(false);
    clearSession(queryClient);
    await router.navigate({ to: '/login', search: { redirect: router.state.location.href } });
  }
  const words = ending === 'signedOut' ? signInCopy.signedOut : signInCopy.again;
  return (
    <Dialog
      open={isOver}
      // Guarded: the page behind it has input that only a deliberate click on its button may give up.
      onOpenChange={() => undefined}
      title={words.title}
      description={words.text}
      size="small"
      guarded
      footer={<Button onClick={leave}>{signInCopy.again.asOther}</Button>}
    >
      {renderLoginForm?.({ email, onSignedIn: resume })}
    </Dialog>
  );
}
