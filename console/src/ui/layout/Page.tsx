import type { ReactNode } from 'react';

/** The content beside the sidebar, or the whole page without one: sets padding and maximum width. */
export function Page({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-page min-w-0 px-8 pt-5 pb-16 max-lg:px-6 max-sm:px-3.5 max-sm:pt-4">
      {children}
    </div>
  );
}
