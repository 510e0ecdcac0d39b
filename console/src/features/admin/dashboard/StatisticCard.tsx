import type { ReactElement } from 'react';
import { CardLink } from '../../../ui/layout/CardLink.tsx';
import { Sparkline } from '../../../ui/picture/Sparkline.tsx';
import { dashboardCopy as words } from './copy.ts';
import { changeOf, formatDayOf, type Line } from './week.ts';

/** A number of the instance as a card that links to what it counts, with how it has changed within seven days. */
export function StatisticCard({
  label,
  value,
  line,
  link,
}: {
  label: string;
  value: number;
  /** How it was; absent until that is known. */
  line: Line | undefined;
  link: ReactElement;
}) {
  const change = line && changeOf(line, value);
  const changed = change && (change.by === 0 ? words.noChange : words.change(change.by, change.when));
  return (
    <CardLink
      render={link}
      title={
        <span className="flex flex-col gap-1">
          <span className="text-label text-ink2">{label}</span>
          <span className="tabular text-count">{value.toLocaleString('en')}</span>
        </span>
      }
      badge={
        changed && <span className="tabular shrink-0 text-small text-ink2 max-sm:hidden">{changed}</span>
      }
    >
      {line !== undefined && change !== undefined && (
        <>
          <Sparkline
            isWide
            values={[...line.values, value]}
            label={words.line(label, change.low, change.high, change.when)}
          />
          {/* On a phone there is no room beside the number. */}
          <p className="tabular mt-1 text-small text-ink2 sm:hidden">{changed}</p>
          <div aria-hidden className="tabular mt-1 flex justify-between text-small text-ink2 max-sm:hidden">
            <span>{formatDayOf(line.fromMs)}</span>
            <span>{words.now}</span>
          </div>
        </>
      )}
    </CardLink>
  );
}
