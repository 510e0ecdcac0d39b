import type { ReactElement, ReactNode } from 'react';
import { CardLink } from '../../../ui/layout/CardLink.tsx';

const digits = new Intl.NumberFormat('en');

/** A number of the instance as a card that links to what it counts. `children` follow the number. */
export function StatisticCard({
  label,
  value,
  link,
  children,
}: {
  label: string;
  value: number;
  link: ReactElement;
  children?: ReactNode;
}) {
  return (
    <CardLink
      render={link}
      title={
        <span className="flex flex-col gap-1">
          <span className="text-label text-ink2">{label}</span>
          <span className="tabular text-display">{digits.format(value)}</span>
        </span>
      }
    >
      {children}
    </CardLink>
  );
}
