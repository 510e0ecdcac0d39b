import { useId, useRef } from 'react';
import { uiCopy } from '../copy.ts';
import { formatDuration } from '../time/format-duration.ts';
import { formatTimeOfDay } from '../time/format-time.ts';
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

const barCount = 144;
const height = 34;
const pitch = 7;

/** A timeline of the last `hours` in 144 bars, each as high as the share of its time in which the device was connected; what is `unknown` is hatched. Each bar tells its time, and opens with the end of it. */
export function ConnectionStrip({
  intervals,
  nowMs,
  hours = 24,
  unknown = [],
  onOpen,
}: {
  intervals: readonly ConnectedInterval[];
  nowMs: number;
  hours?: number | undefined;
  unknown?: readonly Gap[] | undefined;
  onOpen?: ((untilMs: number) => void) | undefined;
}) {
  const hatch = useId();
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  const startMs = nowMs - hours * 3_600_000;
  const { bars, gaps: all } = connectionShares([...intervals, ...unknown], startMs, nowMs, barCount);
  const { bars: connected } = connectionShares(intervals, startMs, nowMs, barCount);
  const share = knownShare(intervals, unknown, startMs, nowMs);
  // A gap of less than a second would read "0 s".
  const gaps = all.filter(({ fromMs, toMs }) => toMs - fromMs >= 1000);
  const percent = formatShare(share);
  const barMs = (nowMs - startMs) / barCount;
  const { at, handlers } = useChartCursor(barCount, onOpen && ((bar) => onOpen(startMs + (bar + 1) * barMs)));
  return (
    <figure className="flex flex-col gap-2">
      <div ref={frame} className="relative">
        <div
          role="img"
          aria-label={[uiCopy.strip.summary(percent, lengthText(hours)), ...gaps.map(gapText)].join('; ')}
          {...handlers}
          className={`rounded-control ${onOpen === undefined ? '' : 'cursor-pointer'}`}
        >
          <svg
            aria-hidden
            viewBox={`0 0 ${barCount * pitch - 2} ${height}`}
            preserveAspectRatio="none"
            className="block h-8.5 w-full overflow-visible rtl:-scale-x-100"
          >
            {unknown.length > 0 && <Hatch id={hatch} />}
            {bars.map((either, index) => {
              const part = connected[index] ?? 0;
              const bar = { x: index * pitch, width: pitch - 2, rx: 1 };
              return (
                <g key={index}>
                  <rect {...bar} height={height} className="fill-line" />
                  {either > part && <rect {...bar} height={height} fill={`url(#${hatch})`} />}
                  {part > 0 && (
                    <rect {...bar} y={height * (1 - part)} height={height * part} className="fill-ok-fill" />
                  )}
                </g>
              );
            })}
            {at !== undefined && (
              <rect
                x={at * pitch - 1}
                y="-2"
                width={pitch}
                height={height + 4}
                rx="1"
                className="fill-none stroke-denim stroke-2"
                vectorEffect="non-scaling-stroke"
              />
            )}
          </svg>
        </div>
        {at !== undefined && (
          <ShapeFloat x={((at + 0.5) / barCount) * width} y={-58} width={width}>
            <ShareOfTime
              fromMs={startMs + at * barMs}
              toMs={startMs + (at + 1) * barMs}
              {...{ intervals, unknown, nowMs }}
            />
          </ShapeFloat>
        )}
      </div>
      <figcaption className="flex justify-between gap-4 text-small text-ink3">
        <span>{formatTimeOfDay(startMs)}</span>
        <span className="min-w-0 truncate max-sm:sr-only">{longest(gaps, share)}</span>
        <span>{uiCopy.strip.now}</span>
      </figcaption>
    </figure>
  );
}

function lengthText(hours: number): string {
  return hours === 24 ? uiCopy.strip.day : formatDuration(hours * 3600);
}

function gapText({ fromMs, toMs }: Gap): string {
  return uiCopy.strip.dropped(formatTimeOfDay(fromMs), formatDuration((toMs - fromMs) / 1000));
}

function longest(gaps: readonly Gap[], share: number): string {
  if (share <= 0) return uiCopy.strip.never;
  const [gap] = [...gaps].sort((one, other) => other.toMs - other.fromMs - (one.toMs - one.fromMs));
  return gap === undefined ? '' : gapText(gap);
}
