import { uiCopy } from '../copy.ts';
import { type ChartTimes, ticksOf } from './chart-times.ts';

// Ticks nearer to an end than this share of the width would touch its text.
const [nearStart, nearEnd] = [0.13, 0.93];

/** The times below a chart. */
export function ChartAxis({ times }: { times: ChartTimes }) {
  const isDay = times.steps * times.stepMs <= 129_600_000;
  const ticks = ticksOf(times).filter(({ at }) => at > (isDay ? nearStart : 0.04) && at < nearEnd);
  return (
    <div aria-hidden className="tabular relative mt-1 h-4 text-small text-ink2">
      {isDay && <span className="absolute start-0">{uiCopy.chart.yesterday}</span>}
      {ticks.map(({ at, text }, index) => (
        <span
          key={at}
          className={`absolute -translate-x-1/2 whitespace-nowrap rtl:translate-x-1/2 ${index % 2 === 1 ? 'max-sm:hidden' : ''}`}
          style={{ insetInlineStart: `${at * 100}%` }}
        >
          {text}
        </span>
      ))}
      <span className="absolute end-0">{uiCopy.chart.now}</span>
    </div>
  );
}
