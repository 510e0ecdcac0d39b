import type { ReactNode } from 'react';
import { Card } from '../../ui/layout/Card.tsx';

/** A group of specimens. */
export function Specimen({
  title,
  meta,
  children,
}: {
  title: string;
  meta?: string | undefined;
  children: ReactNode;
}) {
  return (
    <Card title={title} meta={meta}>
      <div className="flex flex-col gap-5">{children}</div>
    </Card>
  );
}
