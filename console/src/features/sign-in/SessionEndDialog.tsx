import type { Id } from '@corral/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ComponentProps, useSyncExternalStore } from 'react';
import { signInCopy } from './copy.ts';
import { sessionQuery, userQuery } from '../../data/queries-account.ts';
import { clearSession } from '../../data/session.ts';
import { useLazyModule } from '../../parts/use-lazy-module.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';

const loadLoginForm = async () => {
  const { LoginForm } = await import('./LoginForm.tsx');
  return (props: ComponentProps<typeof LoginForm>) => <LoginForm {...props} />;
};

/**
 * Asks to sign in again when the session has ended while a page is open, so that no input is lost. Afterwards all queries are read
 * again. A different user who signs in starts at the projects page.
 */
export function SessionEndDialog({ userId }: { userId: Id<'user'> }) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const { sessionEnd } = router.options.context;
  const isOver = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.isOver);
  const renderLoginForm = useLazyModule(loadLoginForm, isOver);
  // Polls every minute, so that an ended session is noticed on pages that read nothing.
  useQuery(sessionQuery);
  const email = queryClient.getQueryData(userQuery(userId).queryKey)?.email;
  async function resume(): Promise<void> {
    const session = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    sessionEnd.set(false);
    if (session.userId !== userId) {
      await router.navigate({ to: '/projects' });
      clearSession(queryClient);
      await router.invalidate();
      return;
    }
    // Loads a page that failed meanwhile; the mounted page stays, with its input.
    await Promise.all([queryClient.invalidateQueries(), router.invalidate()]);
  }
  async function leave(): Promise<void> {
    sessionEnd.set(false);
    clearSession(queryClient);
    await router.navigate({ to: '/login', search: { redirect: router.state.location.href } });
  }
  return (
    <Dialog
      open={isOver}
      onOpenChange={(isOpen) => {
        if (!isOpen) void leave();
      }}
      title={signInCopy.again.title}
      description={signInCopy.again.text}
      size="small"
      footer={<Button onClick={() => void leave()}>{signInCopy.again.asOther}</Button>}
    >
      {renderLoginForm?.({ email, onSignedIn: resume })}
    </Dialog>
  );
}
