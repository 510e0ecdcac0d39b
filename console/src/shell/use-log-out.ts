import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { shellCopy } from './copy.ts';
import { clearSession, signOut } from '../data/session.ts';
import { tellTabs } from '../data/session-channel.ts';
import { forgetAllVisits } from '../parts/recent-items.ts';
import { showToast } from '../ui/overlay/toast.ts';

/** Ends the session and shows the sign-in page; a failure shows in a toast. */
export function useLogOut(): () => Promise<void> {
  const router = useRouter();
  const queryClient = useQueryClient();
  const { mutateAsync } = useMutation({
    ...signOut,
    onSuccess: async (url) => {
      // First, so that the others need not find out by themselves that the session has ended.
      tellTabs('signedOut');
      clearSession(queryClient);
      forgetAllVisits();
      // The session at the provider ends, too, or else the next click there signs in again.
      if (url !== null) return window.location.assign(url);
      await router.navigate({ to: '/login' });
      await router.invalidate();
    },
    onError: (error) => showToast(shellCopy.logOutFailed, { text: error.message, tone: 'danger' }),
  });
  return () =>
    mutateAsync().then(
      () => undefined,
      () => undefined,
    );
}
