import { Tooltip } from '../overlay/Tooltip.tsx';
import { formatLocal, formatUtc, toMs } from './format-time.ts';

/** A point in time as day and time of the browser's zone; the hint has UTC. */
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
    <Tooltip content={formatUtc(atMs)}>
      <time
        tabIndex={0}
        dateTime={new Date(atMs).toISOString()}
        className={`tabular rounded-control whitespace-nowrap ${className ?? 'text-ink2'}`}
      >
        {formatLocal(atMs)}
      </time>
    </Tooltip>
  );
}
