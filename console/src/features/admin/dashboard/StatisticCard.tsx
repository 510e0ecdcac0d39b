import type { ReactElement } from 'react';
import { CardLink } from '../../../ui/layout/CardLink.tsx';
import { Sparkline } from '../../../ui/picture/Sparkline.tsx';
import { dashboardCopy as words } from './copy.ts';

const digits = new Intl.NumberFormat('en');

/** A number with its thousands apart. */
export function formatCount(value: number): string {
  return digits.format(value);
}

/** A number of the instance as a card that links to what it counts, with a line through its last days. */
export function StatisticCard({
  label,
  value,
  note,
  history = [],
  nameDay = String,
  link,
}: {
  label: string;
  value: number;
  /** What the number does not say. */
  note?: string | undefined;
  /** The days of the line, oldest first. */
  history?: readonly { day: string; value: number }[];
  /** Says the number of a day, where the line is of another number. */
  nameDay?: ((value: string) => string) | undefined;
  link: ReactElement;
}) {
  const spoken = history.map(({ day, value: then }) => words.day(day, nameDay(formatCount(then))));
  return (
    <CardLink
      render={link}
      title={
        <span className="flex flex-col gap-1">
          <span className="text-label text-ink2">{label}</span>
          <span className="tabular text-count">{formatCount(value)}</span>
        </span>
      }
      meta={note}
    >
      <Sparkline values={history.map(({ value: then }) => then)} label={words.days(spoken.join(', '))} />
    </CardLink>
  );
}
