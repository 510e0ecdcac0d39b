import type { ReactNode } from 'react';

/** The buttons of a dialog: at the end edge; on phones full width with the confirming button on top. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return <div className="flex flex-col-reverse gap-2 px-6 pb-5 sm:flex-row sm:justify-end">{children}</div>;
}
