import type { ReactNode } from 'react';

/** A titled part of what will happen. */
export function PreviewPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-t border-line px-4.5 py-4">
      <h3 className="mb-2.5 text-label text-ink3">{title}</h3>
      {children}
    </section>
  );
}
