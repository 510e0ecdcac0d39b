import { useRender } from '@base-ui/react/use-render';
import type { ReactElement, ReactNode } from 'react';

/** A card that is a single link, as in the grid of projects. `badge` is at the end of the title; one that `isWide` takes two columns of the grid. */
export function CardLink({
  render,
  title,
  badge,
  meta,
  isWide = false,
  children,
}: {
  render: ReactElement;
  title: ReactNode;
  badge?: ReactNode;
  meta?: ReactNode;
  isWide?: boolean | undefined;
  children?: ReactNode;
}) {
  const link = useRender({
    render,
    defaultTagName: 'a',
    props: { className: 'text-section text-ink wrap-anywhere after:absolute after:inset-0', children: title },
  });
  return (
    <article
      className={`${isWide ? 'sm:col-span-2' : ''} relative flex min-h-36 flex-col rounded-card border border-line bg-surface p-5 transition-colors hover:border-line-strong has-[h2_a:focus-visible]:outline-2 has-[h2_a:focus-visible]:outline-offset-2 has-[h2_a:focus-visible]:outline-denim [&_h2_a]:outline-none`}
    >
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0">{link}</h2>
        {badge}
      </div>
      {meta !== undefined && <div className="own-direction text-body text-ink3">{meta}</div>}
      {children !== undefined && <div className="mt-5 flex flex-1 flex-col">{children}</div>}
    </article>
  );
}
