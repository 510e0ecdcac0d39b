import type { Output } from '@corral/contract';
import type { ChartGap } from '../../ui/picture/Gaps.tsx';
import type { ChartTimes } from '../../ui/picture/chart-times.ts';
import { formatDay, formatTimeOfDay, toMs } from '../../ui/time/format-time.ts';
import { historyCopy } from './copy.ts';

/** What happened in a project over a time. */
export type History = Output<'projects_QueryHistory'>;

/** The steps of a history. */
export const timesOf = ({ from, stepSeconds, watched }: History): ChartTimes => ({
  fromMs: toMs(from),
  stepMs: stepSeconds * 1000,
  steps: watched.length,
});

/** A point in time of a chart: the time of day, with the day where the chart has several. */
export const pointText = (atMs: number, isDay: boolean): string =>
  isDay ? formatTimeOfDay(atMs) : `${formatDay(atMs)} ${formatTimeOfDay(atMs)}`;

/** A stretch of time of a chart, as "12:00–13:00", "2 Oct 12:00–18:00" or "2 Oct". */
export function stretchText(fromMs: number, toMs: number, isDay: boolean): string {
  if (toMs - fromMs > 82_800_000 - 1) return formatDay(fromMs);
  return `${pointText(fromMs, isDay)}–${formatTimeOfDay(toMs)}`;
}

/** The times of which the hub knows nothing, since it was away. */
export const gapsOf = ({ gaps }: History, isDay: boolean): ChartGap[] =>
  gaps.map(({ from, to }) => ({
    fromMs: toMs(from),
    toMs: toMs(to),
    text: historyCopy.away(pointText(toMs(from), isDay), pointText(toMs(to), isDay)),
  }));
