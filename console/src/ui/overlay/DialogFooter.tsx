import type { ReactNode } from 'react';

/** The buttons at the end of a dialog. A press leaves the focus in its field: the message that appears when a wrong field loses it would move the button away from the pointer. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <div
      role="presentation"
      className="flex flex-col-reverse gap-2 px-6 pb-5 sm:flex-row sm:justify-end"
      onMouseDown={(event) => event.preventDefault()}
    >
      {children}
    </div>
  );
}
