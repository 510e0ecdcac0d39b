import type { ReactNode } from 'react';

/** Text in a menu that is no item, such as the name of the account. */
export function MenuLabel({ children }: { children: ReactNode }) {
  return <div className="px-2.5 py-1.5 text-small text-ink3">{children}</div>;
}
