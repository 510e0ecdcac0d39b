import { uiCopy } from '../copy.ts';
import { formatDuration } from '../time/format-duration.ts';
import { formatTimeOfDay } from '../time/format-time.ts';
import { type ConnectedInterval, connectionShares, formatShare, type Gap } from './connection-shares.ts';

const barCount = 72;
const height = 34;
const pitch = 9;

/** A timeline of the last `hours` in 72 bars, each as high as the share of its time in which the device was connected. */
export function ConnectionStrip({
  intervals,
  nowMs,
  hours = 24,
}: {
  intervals: readonly ConnectedInterval[];
  nowMs: number;
  hours?: number | undefined;
}) {
  const startMs = nowMs - hours * 3_600_000;
  const { bars, share, gaps: all } = connectionShares(intervals, startMs, nowMs, barCount);
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
        {bars.map((part, index) => (
          <g key={index}>
            <rect x={index * pitch} width={pitch - 2} height={height} rx={1} className="fill-line" />
            {part > 0 && (
              <rect
                x={index * pitch}
                y={height * (1 - part)}
                width={pitch - 2}
                height={height * part}
                rx={1}
                className="fill-ok opacity-85"
              />
            )}
          </g>
        ))}
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
