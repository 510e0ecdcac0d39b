import { useCallback, useState } from 'react';

/** What a dialog is about. `target` stays after closing, so that the text remains until the closing animation ends. */
export type DialogTarget<Target> = {
  target: Target | undefined;
  isOpen: boolean;
  open: (target: Target) => void;
  close: () => void;
};

/** The state of a dialog that opens for one of many rows. `open` and `close` keep their identity. */
export function useDialogTarget<Target>(): DialogTarget<Target> {
  const [target, setTarget] = useState<Target>();
  const [isOpen, setIsOpen] = useState(false);
  return {
    target,
    isOpen,
    open: useCallback((next) => {
      setTarget(() => next);
      setIsOpen(true);
    }, []),
    close: useCallback(() => setIsOpen(false), []),
  };
}
