import type { ReactNode } from 'react';

/** A bordered section. With a `title` it has a header; `meta` follows the title, `actions` are at its end. `isFlush` omits the padding, for tables and lists. A popup may reach beyond a card that `isUnclipped`. */
export function Card({
  title,
  meta,
  actions,
  isFlush = false,
  isUnclipped = false,
  tone,
  children,
  className,
}: {
  title?: ReactNode;
  meta?: ReactNode;
  actions?: ReactNode;
  isFlush?: boolean | undefined;
  isUnclipped?: boolean | undefined;
  tone?: 'danger' | undefined;
  children: ReactNode;
  className?: string | undefined;
}) {
  return (
    <section
      className={`min-w-0 ${isUnclipped ? '' : 'overflow-clip'} rounded-card border bg-surface ${tone === 'danger' ? 'border-danger/50' : 'border-line'} ${className ?? ''}`}
    >
      {title !== undefined && (
        <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4.5 py-2">
          <h2 className={`text-section ${tone === 'danger' ? 'text-danger' : ''}`}>{title}</h2>
          <div className="own-direction flex max-w-full flex-[1_0_auto] items-center gap-2 text-body text-ink3">
            {meta}
          </div>
          {actions !== undefined && <div className="flex items-center gap-2">{actions}</div>}
        </div>
      )}
      <div className={isFlush ? undefined : 'p-4.5'}>{children}</div>
    </section>
  );
}
