import type { ReactNode } from 'react';
import { Spinner } from '../picture/Spinner.tsx';

/** Covers `children` with a spinner while `busy`. Disable the inputs below it too: the overlay blocks only the pointer. */
export function BusyOverlay({
  busy,
  label,
  children,
}: {
  busy: boolean;
  label?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className="relative" aria-busy={busy || undefined}>
      {children}
      {busy && (
        <div className="absolute -inset-3 z-10 flex items-center justify-center rounded-card bg-canvas/75">
          <span className="text-denim">
            <Spinner size={40} label={label} />
          </span>
        </div>
      )}
    </div>
  );
}
