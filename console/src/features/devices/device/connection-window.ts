import {
  type ConnectedInterval,
  formatShare,
  type Gap,
  knownShare,
} from '../../../ui/picture/connection-shares.ts';

const hourMs = 3_600_000;
const dayHours = 24;

/** The window that the timeline shows: a day, or less for a device that was first seen within the last day. */
export type ConnectionWindow = { hours: number; intervals: ConnectedInterval[]; percent: string };

/** A connection of a device, whether or not it has ended. */
interface Connection {
  readonly connectedAt: string;
  readonly endedAt?: string | undefined;
}

/** When a device was connected. */
export function intervalsOf(connections: readonly Connection[]): ConnectedInterval[] {
  return connections.map(({ connectedAt, endedAt }) => ({
    fromMs: Date.parse(connectedAt),
    toMs: endedAt === undefined ? undefined : Date.parse(endedAt),
  }));
}

/** Computes the timeline of a device from its connections of the last day. */
export function connectionWindow(
  recent: readonly Connection[],
  nowMs: number,
  firstSeenMs: number | undefined,
  unknown: readonly Gap[],
): ConnectionWindow {
  const intervals = intervalsOf(recent);
  const ageHours = firstSeenMs === undefined ? dayHours : (nowMs - firstSeenMs) / hourMs;
  // Rounded down, so that it never starts before the device was first seen.
  const hours = Math.min(dayHours, Math.max(0.001, Math.floor(ageHours * 1000) / 1000));
  const share = knownShare(intervals, unknown, nowMs - hours * hourMs, nowMs);
  return { hours, intervals, percent: formatShare(share) };
}
