import { useRender } from '@base-ui/react/use-render';
import type { ReactElement, ReactNode } from 'react';

/** A small link below one of the sidebar, such as a saved view, with an optional count. `render` is the link or button element; a link marks the current page. */
export function SidebarSubLink({
  render,
  count,
  children,
}: {
  render: ReactElement;
  count?: string | undefined;
  children: ReactNode;
}) {
  const link = useRender({
    render,
    defaultTagName: 'a',
    props: {
      className:
        'flex h-7 w-full items-center gap-2 rounded-control ps-9.5 pe-2.5 text-start text-small text-ink2 transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-denim-wash aria-[current=page]:text-ink pointer-coarse:h-11',
      children: (
        <>
          <span className="own-direction min-w-0 flex-1 truncate">{children}</span>
          {count !== undefined && <span className="tabular text-small text-ink3">{count}</span>}
        </>
      ),
    },
  });
  return <li>{link}</li>;
}
