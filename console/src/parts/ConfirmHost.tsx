import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { messageOf } from '../ui/form/message-of.ts';
import { AlertDialog } from '../ui/overlay/AlertDialog.tsx';
import { showToast } from '../ui/overlay/toast.ts';
import {
  closeConfirmation,
  openConfirmation,
  type OpenConfirmation,
  subscribeToConfirmations,
} from './confirm.ts';
import { useLast } from './use-last.ts';

/** Shows what `confirm` asks. The shell renders it once. */
export function ConfirmHost() {
  const open = useSyncExternalStore(subscribeToConfirmations, openConfirmation);
  const shown = useLast(open);
  const running = useRef<OpenConfirmation>(undefined);
  useCancelOnLeaving((confirmation) => cancel(confirmation));
  if (shown === undefined) return null;

  function cancel(confirmation: OpenConfirmation): void {
    closeConfirmation(confirmation);
    if (running.current !== confirmation) confirmation.settle(false);
  }
  async function run(confirmation: OpenConfirmation): Promise<void> {
    running.current = confirmation;
    try {
      await confirmation.action();
      const { done } = confirmation;
      if (done !== undefined) showToast(typeof done === 'string' ? done : done(), { tone: 'ok' });
      confirmation.settle(true);
    } catch (error) {
      running.current = undefined;
      if (openConfirmation() === confirmation) throw error;
      // The dialog was closed meanwhile.
      showToast(confirmation.title, { tone: 'danger', text: messageOf(error) });
      confirmation.settle(false);
    }
  }
  return (
    <AlertDialog
      key={shown.number}
      open={open === shown}
      onOpenChange={() => cancel(shown)}
      title={shown.title}
      verb={shown.verb}
      typedName={shown.typedName}
      tone={shown.tone}
      onConfirm={() => run(shown)}
    >
      {shown.text}
    </AlertDialog>
  );
}

/** Cancels when the user goes to another page or the shell disappears; an action that is running goes on, it may itself navigate. */
function useCancelOnLeaving(cancel: (confirmation: OpenConfirmation) => void): void {
  const router = useRouter();
  const latest = useRef(cancel);
  useEffect(() => {
    latest.current = cancel;
  });
  useEffect(() => {
    function cancelAll(): void {
      for (let one = openConfirmation(); one !== undefined; one = openConfirmation()) latest.current(one);
    }
    const stop = router.subscribe('onBeforeLoad', ({ pathChanged }) => {
      if (pathChanged) cancelAll();
    });
    return () => {
      stop();
      cancelAll();
    };
  }, [router]);
}
