import type { ReactNode } from 'react';
import { terms } from '../copy/terms.ts';
import { Notice } from '../ui/layout/Notice.tsx';

/** The buttons that end what a page composed, `whyNot` the first of them cannot be pressed, and why the last attempt failed. */
export function FormActions({
  failure,
  whyNot,
  children,
}: {
  failure: string | undefined;
  whyNot?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-4">
      {failure !== undefined && (
        <Notice tone="danger" title={terms.errorTitle}>
          {failure}
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {children}
        {whyNot !== undefined && <p className="basis-full text-small text-ink2">{whyNot}</p>}
      </div>
    </div>
  );
}
