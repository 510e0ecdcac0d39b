import { useId } from 'react';
import type { ChartTimes } from './chart-times.ts';
import { Hatch } from './Hatch.tsx';

const minWidth = 4;
const shownGaps = 2;

/** A time of which nothing is known; `text` says why. */
export interface ChartGap {
  readonly fromMs: number;
  readonly toMs: number;
  readonly text?: string;
}

/** The gaps of a chart over time, hatched. */
export function Gaps({
  times,
  gaps,
  width,
  height,
}: {
  times: ChartTimes;
  gaps: readonly ChartGap[];
  width: number;
  height: number;
}) {
  const hatch = useId();
  const xAt = (ms: number) => Math.max(0, ((ms - times.fromMs) / (times.steps * times.stepMs)) * width);
  return (
    <>
      <Hatch id={hatch} />
      {gaps.map(({ fromMs, toMs }) => (
        <rect
          key={fromMs}
          x={xAt(fromMs)}
          width={Math.max(minWidth, xAt(toMs) - xAt(fromMs))}
          height={height}
          fill={`url(#${hatch})`}
        />
      ))}
    </>
  );
}

/** Says why nothing is known of the last gaps. */
export function GapList({ gaps }: { gaps: readonly ChartGap[] }) {
  const said = gaps.filter(({ text }) => text !== undefined).slice(-shownGaps);
  if (said.length === 0) return null;
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 text-small text-ink2">
      {said.map(({ fromMs, text }) => (
        <li key={fromMs} className="flex items-center gap-1.5">
          <span aria-hidden className="hatched size-2.5 border border-line" />
          {text}
        </li>
      ))}
    </ul>
  );
}
