import { type MaintenanceWindow, nextWindow } from '@corral/contract';
import type { Waiting } from '../sql/untold.ts';

/** What of a rule was told last. */
interface Told {
  readonly toldAt: string | null;
  /** How many alerts the message was about. */
  readonly toldCount: number;
}

/** More is a storm: one message tells of all of it. */
const few = 10;
const betweenFewMs = 30_000;
const betweenManyMs = 5 * 60_000;
/** So long nothing more may have come before a storm is told, unless it goes on for longer. */
const calmMs = 10_000;
const longestWaitMs = 60_000;

/** Whether it is time for a message about what waits. A time that is still to come, since the clock was set back, has passed long ago. */
export function isTimeToTell(waiting: Waiting, { toldAt, toldCount }: Told, now: Date): boolean {
  const { count, firstAt, lastAt } = waiting;
  if (count === 0 || firstAt === null || lastAt === null) return false;
  const agoMs = (at: string) => {
    const ms = now.getTime() - Date.parse(at);
    return ms < 0 ? Number.POSITIVE_INFINITY : ms;
  };
  if (toldAt !== null && agoMs(toldAt) < (toldCount > few ? betweenManyMs : betweenFewMs)) return false;
  return count <= few || agoMs(lastAt) >= calmMs || agoMs(firstAt) >= longestWaitMs;
}

/** Whether a time is in hours of the day in which nothing is told. */
export function isQuiet(quietHours: MaintenanceWindow | null, now: Date): boolean {
  return quietHours !== null && nextWindow(quietHours, now).opensAt <= now;
}
