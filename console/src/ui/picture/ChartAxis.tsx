import { useRef } from 'react';
import { uiCopy } from '../copy.ts';
import { type ChartTimes, ticksOf } from './chart-times.ts';
import { useWidth } from './use-width.ts';

// Half of a tick beside the text of an end, in pixels.
const [nearStart, nearEnd] = [85, 50];
const nearNamedEnd = 64;
const usualWidth = 564;

/** The times below a chart; those that would touch the texts at its ends are left out. */
export function ChartAxis({ times }: { times: ChartTimes }) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame) || usualWidth;
  const isDay = times.steps * times.stepMs <= 129_600_000;
  const [start, end] = times.ends ?? [isDay ? uiCopy.chart.yesterday : undefined, uiCopy.chart.now];
  const margins =
    times.ends === undefined ? [isDay ? nearStart : nearStart / 4, nearEnd] : [nearNamedEnd, nearNamedEnd];
  const ticks = ticksOf(times).filter(
    ({ at }) => at * width > (margins[0] ?? 0) && (1 - at) * width > (margins[1] ?? 0),
  );
  return (
    <div ref={frame} aria-hidden className="tabular relative mt-1 h-4 text-small text-ink2">
      {start !== undefined && <span className="absolute start-0">{start}</span>}
      {ticks.map(({ at, text }, index) => (
        <span
          key={at}
          className={`absolute -translate-x-1/2 whitespace-nowrap rtl:translate-x-1/2 ${index % 2 === 1 ? 'max-sm:hidden' : ''}`}
          style={{ insetInlineStart: `${at * 100}%` }}
        >
          {text}
        </span>
      ))}
      <span className="absolute end-0">{end}</span>
    </div>
  );
}
