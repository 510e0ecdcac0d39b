import type { ConnectedInterval } from '../../../ui/picture/connection-shares.ts';
import { connectionShares, formatShare } from '../../../ui/picture/connection-shares.ts';
import type { DeviceDetails } from './device-details.ts';

const hourMs = 3_600_000;
const dayHours = 24;

/** The window that the timeline shows: a day, or less for a device that was first seen within the last day. */
export type ConnectionWindow = { hours: number; intervals: ConnectedInterval[]; percent: string };

/** Computes the timeline of a device from its connections of the last day. */
export function connectionWindow(
  recent: NonNullable<DeviceDetails['recentConnections']>,
  nowMs: number,
  firstSeenMs: number | undefined,
): ConnectionWindow {
  const intervals = recent.map(({ connectedAt, endedAt }) => ({
    fromMs: Date.parse(connectedAt),
    toMs: endedAt === undefined ? undefined : Date.parse(endedAt),
  }));
  const ageHours = firstSeenMs === undefined ? dayHours : (nowMs - firstSeenMs) / hourMs;
  // Rounded down, so that it never starts before the device was first seen.
  const hours = Math.min(dayHours, Math.max(0.001, Math.floor(ageHours * 1000) / 1000));
  const { share } = connectionShares(intervals, nowMs - hours * hourMs, nowMs, 1);
  return { hours, intervals, percent: formatShare(share) };
}
