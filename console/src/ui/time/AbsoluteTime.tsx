import { Tooltip } from '../overlay/Tooltip.tsx';
import { formatInOtherZone, formatDateTime, toMs } from './format-time.ts';

/** A point in time as date and time in the chosen zone; the tooltip has the other zone. */
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
    <Tooltip content={formatInOtherZone(atMs)}>
      <time
        tabIndex={0}
        dateTime={new Date(atMs).toISOString()}
        className={`tabular rounded-control whitespace-nowrap ${className ?? 'text-ink2'}`}
      >
        {formatDateTime(atMs)}
      </time>
    </Tooltip>
  );
}
