import type { ReactNode } from 'react';
import { NotFoundText } from './NotFoundText.tsx';

/** The not-found page, beside the sidebar or without one. `children` are further actions. */
export function NotFoundScreen({ children }: { children?: ReactNode }) {
  return (
    <div className="mx-auto flex w-full max-w-[36rem] flex-col gap-4 px-6 py-16">
      <NotFoundText />
      {children}
    </div>
  );
}
