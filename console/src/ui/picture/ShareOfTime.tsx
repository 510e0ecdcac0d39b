import { uiCopy } from '../copy.ts';
import { formatDuration } from '../time/format-duration.ts';
import { formatDay, formatTimeOfDay } from '../time/format-time.ts';
import {
  type ConnectedInterval,
  connectionShares,
  formatShare,
  type Gap,
  knownShare,
} from './connection-shares.ts';

/** When a part of a picture was, for how much of it the device was connected, and when it dropped first. */
export function ShareOfTime({
  fromMs,
  toMs,
  nowMs,
  intervals,
  unknown,
}: {
  fromMs: number;
  toMs: number;
  nowMs: number;
  intervals: readonly ConnectedInterval[];
  unknown: readonly Gap[];
}) {
  const known = connectionShares([...intervals, ...unknown], fromMs, toMs, 1);
  const isUnknown = connectionShares(unknown, fromMs, toMs, 1).share >= 1;
  const percent = formatShare(knownShare(intervals, unknown, fromMs, toMs));
  const isAtStart = (atMs: number) => atMs === fromMs;
  const drop = known.gaps.find((gap) => !isAtStart(gap.fromMs));
  // A gap that goes on behind this part is told whole.
  const whole = connectionShares([...intervals, ...unknown], fromMs, nowMs, 1).gaps.find(
    (gap) => gap.fromMs === drop?.fromMs,
  );
  return (
    <>
      <span className="tabular block font-head">
        {uiCopy.strip.span(formatDay(fromMs), formatTimeOfDay(fromMs), formatTimeOfDay(toMs))}
      </span>
      <span className="tabular text-ink2">
        {isUnknown ? uiCopy.strip.unknown : uiCopy.strip.share(percent)}
        {whole !== undefined &&
          `, ${uiCopy.strip.dropped(formatTimeOfDay(whole.fromMs), formatDuration((whole.toMs - whole.fromMs) / 1000))}`}
      </span>
    </>
  );
}
