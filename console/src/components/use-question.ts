import { useCallback, useState } from 'react';

/** What a dialog asks about. `subject` stays after closing, so that the words do not vanish before the dialog has. */
export type Question<Subject> = {
  subject: Subject | undefined;
  isOpen: boolean;
  ask: (subject: Subject) => void;
  close: () => void;
};

/** The subject of a dialog that opens for one of many rows. `ask` and `close` stay the same. */
export function useQuestion<Subject>(): Question<Subject> {
  const [subject, setSubject] = useState<Subject>();
  const [isOpen, setIsOpen] = useState(false);
  return {
    subject,
    isOpen,
    ask: useCallback((next) => {
      setSubject(() => next);
      setIsOpen(true);
    }, []),
    close: useCallback(() => setIsOpen(false), []),
  };
}
