import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { itemClass } from './popup-class.ts';

/** A link in a menu. `render` is the link element; it stays a real link, so middle click works. */
export function MenuLink({
  render,
  icon,
  children,
}: {
  render: ReactElement;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Base.LinkItem render={render} closeOnClick className={itemClass}>
      <span className="flex size-4 shrink-0 items-center justify-center text-ink3">{icon}</span>
      <span className="min-w-0 flex-1 truncate">{children}</span>
    </Base.LinkItem>
  );
}
