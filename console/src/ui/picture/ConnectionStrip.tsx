import { useId } from 'react';
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

const barCount = 144;
const height = 34;
const pitch = 7;

/** A timeline of the last `hours` in 144 bars, each as high as the share of its time in which the device was connected; what is `unknown` is hatched. */
export function ConnectionStrip({
  intervals,
  nowMs,
  hours = 24,
  unknown = [],
}: {
  intervals: readonly ConnectedInterval[];
  nowMs: number;
  hours?: number | undefined;
  unknown?: readonly Gap[] | undefined;
}) {
  const hatch = useId();
  const startMs = nowMs - hours * 3_600_000;
  const { bars, gaps: all } = connectionShares([...intervals, ...unknown], startMs, nowMs, barCount);
  const { bars: connected } = connectionShares(intervals, startMs, nowMs, barCount);
  const share = knownShare(intervals, unknown, startMs, nowMs);
  // A gap of less than a second would read "0 s".
  const gaps = all.filter(({ fromMs, toMs }) => toMs - fromMs >= 1000);
  const percent = formatShare(share);
  return (
    <figure className="flex flex-col gap-2">
      <svg
        role="img"
        aria-label={[uiCopy.strip.summary(percent, lengthText(hours)), ...gaps.map(gapText)].join('; ')}
        viewBox={`0 0 ${barCount * pitch - 2} ${height}`}
        preserveAspectRatio="none"
        className="h-8.5 w-full rtl:-scale-x-100"
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
      </svg>
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
