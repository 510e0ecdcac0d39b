import { Tooltip } from '../overlay/Tooltip.tsx';
import { formatElsewhere, formatMoment, toMs } from './format-time.ts';

/** A point in time as day and time of the chosen zone; the hint has the other. */
export function AbsoluteTime({
  at,
  className,
}: {
  at: string | number | Date;
  className?: string | undefined;
}) {
  const atMs = toMs(at);
  if (Number.isNaN(atMs)) return null;
  return (
    <Tooltip content={formatElsewhere(atMs)}>
      <time
        tabIndex={0}
        dateTime={new Date(atMs).toISOString()}
        className={`tabular rounded-control whitespace-nowrap ${className ?? 'text-ink2'}`}
      >
        {formatMoment(atMs)}
      </time>
    </Tooltip>
  );
}
