import { useRender } from '@base-ui/react/use-render';
import type { ReactElement, ReactNode } from 'react';
import { Tooltip } from '../overlay/Tooltip.tsx';
import { useRail } from './use-rail.ts';

/**
 * A link in the sidebar with its icon, an optional count, and what is listed below it. `render` is the link element; it marks the current page. While the sidebar is a rail, a tooltip shows the name.
 */
export function SidebarLink({
  render,
  icon,
  count,
  below,
  children,
}: {
  render: ReactElement;
  icon: ReactNode;
  count?: number | undefined;
  /** A list of SidebarSubLink; while one of them is the current page, it alone is marked. */
  below?: ReactNode;
  children: ReactNode;
}) {
  const isRail = useRail();
  const link = useRender({
    render,
    defaultTagName: 'a',
    props: {
      className:
        'marks-current group relative flex h-8.5 items-center gap-2.5 rounded-control px-2.5 text-body font-head text-ink2 transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-denim-wash aria-[current=page]:text-ink data-[status=active]:bg-denim-wash data-[status=active]:text-ink pointer-coarse:h-11',
      children: (
        <>
          <span
            aria-hidden
            className="absolute inset-y-1.5 -start-3 hidden w-[3px] bg-denim group-aria-[current=page]:block group-data-[status=active]:block"
          />
          <span className="flex size-4.5 shrink-0 items-center justify-center">{icon}</span>
          <span className="own-direction min-w-0 flex-1 truncate sm:max-lg:in-[aside]:sr-only">
            {children}
          </span>
          {count !== undefined && (
            <span className="tabular text-label font-normal text-ink3 sm:max-lg:in-[aside]:sr-only">
              {count.toLocaleString('en')}
            </span>
          )}
        </>
      ),
    },
  });
  return (
    <li className="[&:has(>ul_[aria-current=page])>a]:bg-transparent">
      <Tooltip content={isRail ? <Name {...{ count, children }} /> : undefined} side="inline-end" isKnown>
        {link}
      </Tooltip>
      {below}
    </li>
  );
}

function Name({ count, children }: { count: number | undefined; children: ReactNode }) {
  return (
    <>
      {children}
      {count !== undefined && <span className="tabular ms-2">{count.toLocaleString('en')}</span>}
    </>
  );
}
