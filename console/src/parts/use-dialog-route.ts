import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the page below a dialog is the previous entry of the history. */
    isAbovePage?: true;
  }
}

/** The props of a dialog that is a child route of its page. Closing goes back to where it was opened, else to the parent address. */
export function useDialogRoute(): {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onClosed: () => void;
} {
  const router = useRouter();
  const [open, setOpen] = useState(true);
  // The router may already be elsewhere: a submit can go to what it created.
  const [address] = useState(() => router.latestLocation.pathname);
  function leave(): void {
    const { pathname, state } = router.latestLocation;
    if (pathname !== address) return;
    if (state.isAbovePage === true) router.history.back();
    else void router.navigate({ to: '..', search: true, replace: true, resetScroll: false } as never);
  }
  return { open, onOpenChange: setOpen, onClosed: leave };
}
