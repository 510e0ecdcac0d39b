import { useId, useRef } from 'react';
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
import { ShapeFloat } from './ShapeFloat.tsx';
import { ShareOfTime } from './ShareOfTime.tsx';
import { useChartCursor } from './use-chart-cursor.ts';
import { useWidth } from './use-width.ts';

const hourMs = 3_600_000;
const cell = { width: 31, height: 4, pitch: 33 };
const partHours = 6;
const rowY = (hour: number): number => hour * cell.height + Math.floor(hour / partHours) * 2;
const height = rowY(24) - 2;
/** The hour at a share of the height of a column. */
const hourAt = (share: number): number =>
  Array.from({ length: 23 }, (_, hour) => rowY(hour + 1)).filter((y) => y <= share * height).length;
/** Longer lists are not read to the end. */
const maxGapsSaid = 10;

interface HourCell {
  readonly atMs: number;
  /** Hours of a day that is set back share a cell. */
  readonly column: number;
  readonly hour: number;
  readonly connected: number;
  readonly either: number;
}

/**
 * A column for each of the last days, from midnight to midnight, with a cell for each hour, the greener the longer the device was connected; what is `unknown` is hatched, and hours before
 * `knownFromMs` and to come are empty. Each cell tells its time, and opens with the end of it.
 */
export function ConnectionDays({
  intervals,
  unknown,
  nowMs,
  days,
  knownFromMs,
  onOpen,
}: {
  intervals: readonly ConnectedInterval[];
  unknown: readonly Gap[];
  nowMs: number;
  days: number;
  knownFromMs: number | undefined;
  onOpen: (untilMs: number) => void;
}) {
  const hatch = useId();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const startMs = startOfDay(nowMs, days - 1);
  const fromMs = Math.max(startMs, knownFromMs ?? startMs);
  const cells = hourCells(intervals, unknown, fromMs, nowMs, startMs);
  const numbers = cells.map(({ column, hour }) => column * 24 + hour);
  const cellOf = (number: number) => cells[numbers.lastIndexOf(number)];
  const { at, handlers } = useChartCursor(
    (numbers.at(-1) ?? -1) + 1,
    (number) => onOpen(Math.min(nowMs, (cellOf(number)?.atMs ?? nowMs) + hourMs)),
    { first: numbers[0] ?? 0, rows: 24, rowAt: hourAt },
  );
  const pointed = at === undefined ? undefined : cellOf(at);
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
      <div ref={frame} className="relative">
        <div
          role="img"
          aria-label={[uiCopy.strip.summary(formatShare(share), uiCopy.strip.days(days)), ...said].join('; ')}
          {...handlers}
          className="cursor-pointer rounded-control"
        >
          <svg
            aria-hidden
            viewBox={`0 0 ${days * cell.pitch - 2} ${height}`}
            preserveAspectRatio="none"
            className="block h-26 w-full overflow-visible rtl:-scale-x-100"
          >
            <HourCells {...{ cells, hatch, pointed }} />
          </svg>
        </div>
        {pointed !== undefined && (
          <ShapeFloat
            x={((pointed.column + 0.5) / days) * width}
            y={rowY(pointed.hour) + (pointed.hour < 12 ? 10 : -60)}
            width={width}
          >
            <ShareOfTime
              fromMs={Math.max(fromMs, pointed.atMs)}
              toMs={Math.min(nowMs, pointed.atMs + hourMs)}
              {...{ intervals, unknown, nowMs }}
            />
          </ShapeFloat>
        )}
      </div>
      <span />
      <figcaption className="flex justify-between">
        <span>{formatDate(startMs)}</span>
        <span>{uiCopy.strip.today}</span>
      </figcaption>
    </figure>
  );
}

function HourCells({
  cells,
  hatch,
  pointed,
}: {
  cells: readonly HourCell[];
  hatch: string;
  pointed: HourCell | undefined;
}) {
  return (
    <>
      <Hatch id={hatch} />
      {cells.map(({ atMs, column, hour, connected, either }) => (
        <rect
          key={atMs}
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
      {pointed !== undefined && (
        <rect
          x={pointed.column * cell.pitch - 1}
          y={rowY(pointed.hour) - 1}
          width={cell.width + 2}
          height={cell.height + 2}
          rx="1"
          className="fill-none stroke-denim stroke-2"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </>
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
      atMs,
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
