import type { ReactNode } from 'react';

/** Specimens in a row, under a caption. */
export function Row({ caption, children }: { caption?: string | undefined; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-2">
      {caption !== undefined && <p className="text-small text-ink3">{caption}</p>}
      <div className="flex flex-wrap items-center gap-3">{children}</div>
    </div>
  );
}
