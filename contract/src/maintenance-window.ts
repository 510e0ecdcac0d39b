import { z } from 'zod';
import { textUpTo } from './scalars.ts';

const timeOfDay = textUpTo(5).regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, 'must be a time of day such as 22:00');

/** Hours of each day in which something may be done, in the time of a place; `to` is of the next day unless it is later than `from`. */
export const maintenanceWindow = z.object({ from: timeOfDay, to: timeOfDay, timeZone: textUpTo(64) });

/** See `maintenanceWindow`. */
export type MaintenanceWindow = z.infer<typeof maintenanceWindow>;

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** What is wrong with a window, as a sentence. */
export function windowProblem({ from, to, timeZone }: MaintenanceWindow): string | undefined {
  if (from === to)
    return `A window from ${from} to ${to} has no end. Leave it out where any time of the day will do.`;
  return hasZone(timeZone)
    ? undefined
    : `There is no time zone "${timeZone}". Give it as a place, such as Europe/Berlin, or as UTC.`;
}

function hasZone(timeZone: string): boolean {
  try {
    return /^[A-Za-z]/u.test(timeZone) && clockOf(timeZone) !== undefined;
  } catch {
    return false;
  }
}

/**
 * The window in which a moment is, or else the next one. Of a time of day that exists twice the first counts; one that does not exist is the moment at which
 * the clock is put forward. A window between two times that do not exist is left out that day.
 */
export function nextWindow(window: MaintenanceWindow, at: Date): { opensAt: Date; closesAt: Date } {
  const localAt = clockOf(window.timeZone);
  const today = Math.floor(localAt(at.getTime()) / dayMs) * dayMs;
  for (let day = today - dayMs; ; day += dayMs) {
    const from = day + minutesOf(window.from) * minuteMs;
    const to = day + minutesOf(window.to) * minuteMs;
    const opensAt = firstMoment(localAt, from);
    const closesAt = firstMoment(localAt, to > from ? to : to + dayMs);
    if (closesAt > opensAt && closesAt > at.getTime())
      return { opensAt: new Date(opensAt), closesAt: new Date(closesAt) };
  }
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

type Clock = (ms: number) => number;

/** What the clocks of a zone show at a moment, as the moment at which those of UTC show it, by the minute. */
function clockOf(timeZone: string): Clock {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  return (ms) => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'));
  };
}

/** The first moment at which clocks show a time, or a later one where they skip it. */
function firstMoment(localAt: Clock, wanted: number): number {
  const offsets = [wanted - dayMs, wanted + dayMs].map((ms) => localAt(ms) - ms);
  const candidates = offsets.map((offset) => wanted - offset).toSorted((one, other) => one - other);
  const [earliest = wanted, latest = wanted] = candidates;
  for (const moment of candidates) if (localAt(moment) === wanted) return moment;
  let [before, after] = [earliest, latest];
  while (after - before > minuteMs) {
    const middle = before + Math.floor((after - before) / 2 / minuteMs) * minuteMs;
    if (localAt(middle) < wanted) before = middle;
    else after = middle;
  }
  return after;
}
