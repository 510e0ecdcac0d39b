import { useRender } from '@base-ui/react/use-render';
import type { ReactElement, ReactNode } from 'react';

/** A link in the header. `render` is the link element; it marks the current page with `aria-current` or `data-status="active"`. */
export function NavLink({ render, children }: { render: ReactElement; children: ReactNode }) {
  return useRender({
    render,
    defaultTagName: 'a',
    props: {
      className:
        'marks-current inline-flex h-8 items-center rounded-control px-3 text-body font-head text-ink2 transition-colors hover:text-ink pointer-coarse:h-11 aria-[current=page]:bg-sunken aria-[current=page]:text-ink data-[status=active]:bg-sunken data-[status=active]:text-ink',
      children,
    },
  });
}
