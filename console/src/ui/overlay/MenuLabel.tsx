import type { ReactNode } from 'react';

/** Words in a menu that are no choice, such as whose account it is. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return <div className="px-2.5 py-1.5 text-small text-ink3">{children}</div>;
}
