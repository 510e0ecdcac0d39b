import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { messageOf } from '../ui/form/message-of.ts';
import { AlertDialog } from '../ui/overlay/AlertDialog.tsx';
import { uiCopy } from '../ui/copy.ts';
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
  const running = useRef(new Set<OpenConfirmation>());
  useCloseOnLeaving((confirmation) => close(confirmation, false));
  if (shown === undefined) return null;

  function close(confirmation: OpenConfirmation, isCancelled: boolean): void {
    closeConfirmation(confirmation);
    if (running.current.has(confirmation)) confirmation.onClosed?.(isCancelled);
    else confirmation.settle(false);
  }
  async function run(confirmation: OpenConfirmation): Promise<void> {
    running.current.add(confirmation);
    try {
      await confirmation.action();
      running.current.delete(confirmation);
      const { done } = confirmation;
      if (done !== undefined) showToast(typeof done === 'string' ? done : done(), { tone: 'ok' });
      confirmation.settle(true);
    } catch (error) {
      running.current.delete(confirmation);
      if (openConfirmation() === confirmation) throw error;
      // The dialog was closed meanwhile.
      showToast(uiCopy.error.notDone(confirmation.title), { tone: 'danger', text: messageOf(error) });
      confirmation.settle(false);
    }
  }
  return (
    <AlertDialog
      key={shown.number}
      open={open === shown}
      onOpenChange={() => close(shown, true)}
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
function useCloseOnLeaving(close: (confirmation: OpenConfirmation) => void): void {
  const router = useRouter();
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    function closeAll(): void {
      for (let one = openConfirmation(); one !== undefined; one = openConfirmation()) latest.current(one);
    }
    const stop = router.subscribe('onBeforeLoad', ({ pathChanged }) => {
      if (pathChanged) closeAll();
    });
    return () => {
      stop();
      closeAll();
    };
  }, [router]);
}
