import { useContext } from 'react';
import { uiCopy } from '../copy.ts';
import { Tooltip } from '../overlay/Tooltip.tsx';
import { copyWithToast } from '../text/copy-with-toast.ts';
import { formatInOtherZone, formatDateTime, formatRelative, toMs } from './format-time.ts';
import { ShortDates } from './short-dates.ts';
import { useNow } from './use-now.ts';

/** A point in time as "3 min ago", updated every minute; the tooltip has the time in both zones, a click copies ISO 8601. */
export function RelativeTime({
  at,
  className,
}: {
  at: string | number | Date;
  className?: string | undefined;
}) {
  const now = useNow('minute');
  const isShort = useContext(ShortDates);
  const atMs = toMs(at);
  if (Number.isNaN(atMs)) return null;
  const iso = new Date(atMs).toISOString();
  return (
    <Tooltip content={<BothZones atMs={atMs} />}>
      <button
        type="button"
        onClick={(event) => {
          event.stopPropagation();
          void copyWithToast(iso, iso);
        }}
        className={`touch-area min-h-6 rounded-control text-start whitespace-nowrap ${className ?? 'text-ink2'}`}
      >
        <time dateTime={iso} className="print:hidden">
          {formatRelative(atMs, now, isShort)}
        </time>
        <span aria-hidden className="hidden print:inline">
          {formatDateTime(atMs)}
        </span>
      </button>
    </Tooltip>
  );
}

function BothZones({ atMs }: { atMs: number }) {
  return (
    <span className="tabular flex flex-col">
      <span>{formatDateTime(atMs)}</span>
      <span className="opacity-80">{formatInOtherZone(atMs)}</span>
      <span className="opacity-80">{uiCopy.time.copyIso}</span>
    </span>
  );
}
