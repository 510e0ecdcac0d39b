import type { Id } from '@corral/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type ComponentProps, useEffect, useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react';
import { signInCopy } from './copy.ts';
import { sessionQuery, userQuery } from '../../data/queries-account.ts';
import { clearSession } from '../../data/session.ts';
import { type SessionNews, subscribeToTabs, tellTabs } from '../../data/session-channel.ts';
import { forgetAllVisits } from '../../parts/recent-items.ts';
import { useLazyModule } from '../../parts/use-lazy-module.ts';
import { Button } from '../../ui/action/Button.tsx';
import { Dialog } from '../../ui/overlay/Dialog.tsx';

const loadSignIn = async () => {
  const { SignInAgain } = await import('./SignInAgain.tsx');
  return (props: ComponentProps<typeof SignInAgain>) => <SignInAgain {...props} />;
};

const nothing = () => undefined;

/**
 * Hides the page and asks to sign in again when the session has ended, so that no input is lost; what the hub refused is then sent again.
 * Another user starts at the projects; a sign-out in another tab leads to the sign-in page.
 */
export function SessionEndDialog({ userId }: { userId: Id<'user'> }) {
  const router = useRouter();
  const queryClient = useQueryClient();
  const { sessionEnd } = router.options.context;
  const ending = useSyncExternalStore(sessionEnd.subscribe, sessionEnd.ending);
  const isEnded = ending === 'ended';
  useHiddenPage(ending !== undefined);
  const renderSignIn = useLazyModule(loadSignIn, isEnded);
  // Polls every minute, so that an ended session is noticed on pages that read nothing.
  useQuery(sessionQuery);
  const readSession = () => queryClient.fetchQuery({ ...sessionQuery, staleTime: 0, retry: false });
  const email = queryClient.getQueryData(userQuery(userId).queryKey)?.email;
  async function resume(): Promise<void> {
    const session = await readSession();
    const isSameUser = session.userId === userId;
    sessionEnd.resume(isSameUser);
    if (!isSameUser) {
      await router.navigate({ to: '/projects', ignoreBlocker: true });
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
    const { href } = router.state.location;
    await router.navigate({ to: '/login', search: { redirect: href }, ignoreBlocker: true });
  }
  async function followSignOut(): Promise<void> {
    // The page is hidden at once, while the sign-in page may still wait for the hub.
    sessionEnd.end('signedOut');
    clearSession(queryClient);
    forgetAllVisits();
    await router.navigate({ to: '/login', ignoreBlocker: true });
    // Without what the page asked for again while it was still there.
    clearSession(queryClient);
    sessionEnd.resume(false);
    await router.invalidate();
  }
  const onNews = useEffectEvent((news: SessionNews) => {
    if (news === 'signedOut') void followSignOut().catch(() => window.location.assign('/login'));
    else if (news === 'signedIn' && isEnded) void resume().catch(nothing);
    // Asks the hub, whose refusal ends the session here.
    else if (news === 'ended' && !isEnded) void readSession().catch(nothing);
  });
  useEffect(() => subscribeToTabs((news) => onNews(news)), []);
  useEffect(() => {
    if (isEnded) tellTabs('ended');
  }, [isEnded]);
  return (
    <Dialog
      open={isEnded}
      // Guarded: the page behind it has input that only a deliberate click on its button may give up.
      onOpenChange={nothing}
      title={signInCopy.again.title}
      description={signInCopy.again.text}
      size="small"
      guarded
      isAskedFirst={false}
      footer={<Button onClick={leave}>{signInCopy.again.asOther}</Button>}
    >
      <div data-above-hidden-page>
        {renderSignIn?.({ email, onSignedIn: () => resume().then(() => tellTabs('signedIn')) })}
      </div>
    </Dialog>
  );
}

/** Makes the page and its dialogs illegible, while they keep their state. */
function useHiddenPage(isHidden: boolean): void {
  useLayoutEffect(() => {
    const { documentElement } = document;
    documentElement.toggleAttribute('data-page-hidden', isHidden);
    return () => documentElement.removeAttribute('data-page-hidden');
  }, [isHidden]);
}
