import { useId } from 'react';
import { uiCopy } from '../copy.ts';
import { chosenTimeZone } from '../style/theme.ts';
import { formatDuration } from '../time/format-duration.ts';
import { formatDate, formatDateTime } from '../time/format-time.ts';
import {
  type ConnectedInterval,
  connectionShares,
  formatShare,
  type Gap,
  knownShare,
} from './connection-shares.ts';
import { Hatch } from './Hatch.tsx';

const hourMs = 3_600_000;
const cell = { width: 31, height: 4, pitch: 33 };
const partHours = 6;
const rowY = (hour: number): number => hour * cell.height + Math.floor(hour / partHours) * 2;
const height = rowY(24) - 2;
/** Longer lists are not read to the end. */
const maxGapsSaid = 10;

interface HourCell {
  /** Hours of a day that is set back share a cell. */
  readonly key: string;
  readonly column: number;
  readonly hour: number;
  readonly connected: number;
  readonly either: number;
}

/**
 * A column for each of the last days, from midnight to midnight, with a cell for each hour, the greener the longer the device was connected; what is `unknown` is hatched, and hours before
 * `knownFromMs` and to come are empty.
 */
export function ConnectionDays({
  intervals,
  unknown,
  nowMs,
  days,
  knownFromMs,
}: {
  intervals: readonly ConnectedInterval[];
  unknown: readonly Gap[];
  nowMs: number;
  days: number;
  knownFromMs: number | undefined;
}) {
  const hatch = useId();
  const startMs = startOfDay(nowMs, days - 1);
  const fromMs = Math.max(startMs, knownFromMs ?? startMs);
  const cells = hourCells(intervals, unknown, fromMs, nowMs, startMs);
  const share = knownShare(intervals, unknown, fromMs, nowMs);
  const { gaps } = connectionShares([...intervals, ...unknown], fromMs, nowMs, 1);
  const said = gaps
    .filter(({ fromMs: from, toMs }) => toMs - from >= 60_000)
    .slice(-maxGapsSaid)
    .map(({ fromMs: from, toMs }) =>
      uiCopy.strip.dropped(formatDateTime(from), formatDuration((toMs - from) / 1000)),
    );
  return (
    <figure className="grid grid-cols-[2.5rem_minmax(0,1fr)] gap-x-2 gap-y-1 text-small text-ink3">
      <div aria-hidden className="tabular flex flex-col justify-between text-end">
        {uiCopy.strip.hours.map((hour) => (
          <span key={hour} className="leading-none">
            {hour}
          </span>
        ))}
        <span />
      </div>
      <svg
        role="img"
        aria-label={[uiCopy.strip.summary(formatShare(share), uiCopy.strip.days(days)), ...said].join('; ')}
        viewBox={`0 0 ${days * cell.pitch - 2} ${height}`}
        preserveAspectRatio="none"
        className="h-26 w-full rtl:-scale-x-100"
      >
        <Hatch id={hatch} />
        {cells.map(({ key, column, hour, connected, either }) => (
          <rect
            key={key}
            x={column * cell.pitch}
            y={rowY(hour)}
            width={cell.width}
            height={cell.height}
            {...(connected > 0
              ? { className: 'fill-ok-fill', opacity: 0.35 + 0.65 * connected }
              : either > 0
                ? { fill: `url(#${hatch})` }
                : { className: 'fill-line' })}
          />
        ))}
      </svg>
      <span />
      <figcaption className="flex justify-between">
        <span>{formatDate(startMs)}</span>
        <span>{uiCopy.strip.today}</span>
      </figcaption>
    </figure>
  );
}

/** The cells of the hours from `fromMs` to `nowMs`, by the day and the hour that a clock shows. */
function hourCells(
  intervals: readonly ConnectedInterval[],
  unknown: readonly Gap[],
  fromMs: number,
  nowMs: number,
  startMs: number,
): HourCell[] {
  const firstMs = Math.floor(fromMs / hourMs) * hourMs;
  const count = Math.ceil((nowMs - firstMs) / hourMs);
  const endMs = firstMs + count * hourMs;
  const { bars: connected } = connectionShares(open(intervals, nowMs), firstMs, endMs, count);
  const { bars: either } = connectionShares([...open(intervals, nowMs), ...unknown], firstMs, endMs, count);
  return Array.from({ length: count }, (_, index) => {
    const atMs = firstMs + index * hourMs;
    // The part of the running hour that has passed counts as the whole.
    const passed = Math.min(1, (nowMs - atMs) / hourMs);
    const column = Math.round((startOfDay(atMs, 0) - startMs) / (24 * hourMs));
    return {
      key: String(atMs),
      column,
      hour: hourOf(atMs),
      connected: Math.min(1, (connected[index] ?? 0) / passed),
      either: either[index] ?? 0,
    };
  });
}

/** Connections that live on end now. */
function open(intervals: readonly ConnectedInterval[], nowMs: number): ConnectedInterval[] {
  return intervals.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs ?? nowMs }));
}

function hourOf(atMs: number): number {
  const date = new Date(atMs);
  return chosenTimeZone() === 'utc' ? date.getUTCHours() : date.getHours();
}

/** Midnight of the day so many days before, in the chosen zone. */
function startOfDay(atMs: number, daysBefore: number): number {
  const date = new Date(atMs);
  if (chosenTimeZone() === 'utc')
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() - daysBefore);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBefore).getTime();
}
