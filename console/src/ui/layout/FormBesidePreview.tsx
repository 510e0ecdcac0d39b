import type { ReactNode } from 'react';
import { Card } from './Card.tsx';

/** A long form, its `name` above its steps, beside what it would do, which stays in sight. */
export function FormBesidePreview({
  name,
  children,
  preview,
}: {
  name: ReactNode;
  children: ReactNode;
  preview: ReactNode;
}) {
  return (
    <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_25rem]">
      <Card isFlush isUnclipped>
        <div className="px-4.5 pt-4.5 pb-5">{name}</div>
        {children}
      </Card>
      <div className="flex min-w-0 flex-col gap-5 xl:sticky xl:top-5">{preview}</div>
    </div>
  );
}
