import type { ReactNode } from 'react';

/** Cards in three columns, two on tablets, one on phones. */
export function CardGrid({ children }: { children: ReactNode }) {
  return <div className="grid grid-cols-1 gap-5 sm:grid-cols-2 lg:grid-cols-3">{children}</div>;
}
