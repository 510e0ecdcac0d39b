import { formatDay, formatTimeOfDay } from '../time/format-time.ts';

/** The steps of a chart over time, oldest first, to now. */
export interface ChartTimes {
  readonly fromMs: number;
  readonly stepMs: number;
  readonly steps: number;
  /** What is written at the two ends, where the chart is not of the last day, week or longer until now. */
  readonly ends?: readonly [start: string, end: string] | undefined;
}

/** A text below a chart, at a share of its width. */
export interface Tick {
  readonly at: number;
  readonly text: string;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const daysOfTicks = 5;
const hoursOfTicks = 6;

const isOneDay = ({ stepMs, steps }: ChartTimes): boolean => steps * stepMs <= 1.5 * dayMs;
const isMonth = ({ stepMs, steps }: ChartTimes): boolean => steps * stepMs > 8 * dayMs;
const quarterOf = (atMs: number): number =>
  Math.floor(Number(formatTimeOfDay(atMs).slice(0, 2)) / hoursOfTicks);

const minuteMs = 60_000;
const mostTicks = 6;
const distances = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 6, 12, 24].map((hours) => hours * hourMs),
];

const minutesOf = (atMs: number): number => {
  const [hours = '', minutes = ''] = formatTimeOfDay(atMs).split(':');
  return Number(hours) * 60 + Number(minutes);
};

/** Times of day that are round in the chosen zone; below two minutes none. */
function roundTicks({ fromMs, stepMs, steps }: ChartTimes): Tick[] {
  const lengthMs = stepMs * steps;
  const distance = distances.find((one) => lengthMs / one <= mostTicks) ?? dayMs;
  if (lengthMs < 2 * minuteMs) return [];
  // Zones are quarters of an hour apart.
  const hop = distance < hourMs ? minuteMs : 15 * minuteMs;
  const ticks: Tick[] = [];
  for (let atMs = Math.ceil(fromMs / hop) * hop; atMs < fromMs + lengthMs; atMs += hop)
    if ((minutesOf(atMs) * minuteMs) % distance === 0)
      ticks.push({ at: (atMs - fromMs) / lengthMs, text: formatTimeOfDay(atMs) });
  return ticks;
}

/** The times below a chart in the chosen zone: every six hours of a day, or days of a longer time. */
export function ticksOf(times: ChartTimes): Tick[] {
  if (times.ends !== undefined && times.stepMs * times.steps < 2 * dayMs) return roundTicks(times);
  const { fromMs, stepMs, steps } = times;
  const isDay = isOneDay(times);
  const keyOf = (atMs: number) => (isDay ? String(quarterOf(atMs)) : formatDay(atMs));
  const ticks: Tick[] = [];
  for (let step = 1; step < steps; step++) {
    const atMs = fromMs + step * stepMs;
    if (keyOf(atMs) === keyOf(atMs - stepMs)) continue;
    const hour = String(quarterOf(atMs) * hoursOfTicks).padStart(2, '0');
    ticks.push({ at: step / steps, text: isDay ? `${hour}:00` : formatDay(atMs) });
  }
  const every = times.ends === undefined ? daysOfTicks : Math.ceil(ticks.length / mostTicks);
  return isMonth(times) ? ticks.filter((_, index) => index % every === 0) : ticks;
}

/** A run of steps that a bar stands for: an hour of a day, six hours of a week, or a day of a longer time. */
export interface Bucket {
  readonly first: number;
  readonly end: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The bars of a chart; those of days and of six hours follow the clock of the chosen zone, so that a day of the clock change is one bar. */
export function bucketsOf(times: ChartTimes): Bucket[] {
  const { fromMs, stepMs, steps } = times;
  const keyOf = (atMs: number): string => {
    if (isOneDay(times)) return String(Math.floor(atMs / hourMs));
    return isMonth(times) ? formatDay(atMs) : `${formatDay(atMs)} ${quarterOf(atMs)}`;
  };
  const buckets: Bucket[] = [];
  let lastKey: string | undefined;
  for (let step = 0; step < steps; step++) {
    const atMs = fromMs + step * stepMs;
    const key = keyOf(atMs);
    const last = buckets.at(-1);
    if (last === undefined || key !== lastKey)
      buckets.push({ first: step, end: step + 1, fromMs: atMs, toMs: atMs + stepMs });
    else buckets[buckets.length - 1] = { ...last, end: step + 1, toMs: atMs + stepMs };
    lastKey = key;
  }
  return buckets;
}
