import { ChevronRight } from 'lucide-react';
import { cloneElement, type ReactElement, type ReactNode } from 'react';

/** A card whose title, with `link`, leads to the list behind it. */
export function LinkedCard({
  title,
  link,
  aside,
  children,
  className = '',
}: {
  title: string;
  /** The link element. */
  link?: ReactElement<{ children?: ReactNode; className?: string }> | undefined;
  /** At the end of the line of the title. */
  aside?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
}) {
  return (
    <section className={`min-w-0 rounded-card border border-line bg-surface p-4.5 pt-2.5 ${className}`}>
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 className="text-section">
          {link === undefined
            ? title
            : cloneElement(
                link,
                { className: 'inline-flex items-center gap-1 hover:underline' },
                title,
                <ChevronRight key="icon" size={16} aria-hidden className="text-ink2" />,
              )}
        </h2>
        {aside !== undefined && <div className="tabular text-small text-ink2">{aside}</div>}
      </div>
      <div className="mt-2">{children}</div>
    </section>
  );
}
