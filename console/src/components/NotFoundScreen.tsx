import type { ReactNode } from 'react';
import { NotFoundText } from './NotFoundText.tsx';

/** The page for what does not exist, beside the sidebar or without one. `children` is another way on. */
export function NotFoundScreen({
  isUnbuilt,
  children,
}: {
  isUnbuilt?: boolean | undefined;
  children?: ReactNode;
}) {
  return (
    <div className="mx-auto flex w-full max-w-[36rem] flex-col gap-4 px-6 py-16">
      <NotFoundText isUnbuilt={isUnbuilt} />
      {children}
    </div>
  );
}
