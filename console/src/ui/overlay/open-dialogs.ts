import { useEffect, useEffectEvent } from 'react';

/** A dialog that is open, or a part of a page that shows something once. */
export interface OpenDialog {
  readonly close: () => void;
  /** Whether closing it loses something, such as a secret that is shown once, so that the user is asked first. */
  readonly isAskedFirst: boolean;
}

let dialogs: readonly OpenDialog[] = [];

/** The dialog that is above all others; undefined where none is open. */
export function topDialog(): OpenDialog | undefined {
  return dialogs.at(-1);
}

/** Whether leaving the page loses what an open dialog shows. */
export function isLeavingAskedFirst(): boolean {
  return dialogs.some(({ isAskedFirst }) => isAskedFirst);
}

/** Registers a dialog while it is open, so that Back in the browser closes it. */
export function useOpenDialog(
  isOpen: boolean,
  onClose: () => void,
  { isAskedFirst = false }: { isAskedFirst?: boolean | undefined } = {},
): void {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (!isOpen) return undefined;
    const dialog: OpenDialog = { close: () => close(), isAskedFirst };
    dialogs = [...dialogs, dialog];
    return () => {
      dialogs = dialogs.filter((one) => one !== dialog);
    };
  }, [isOpen, isAskedFirst]);
}
