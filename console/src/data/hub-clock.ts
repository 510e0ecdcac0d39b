import { createHubClock } from '@corral/client';

const listeners = new Set<(offsetMs: number) => void>();
const clock = createHubClock((offsetMs) => {
  for (const listener of listeners) listener(offsetMs);
});

/** Learns the hub's time from an answer; see `HubClock`. */
export const noteHubTime = clock.note;

/** The hub's time, in milliseconds since the epoch: whatever is compared with times of the hub, or sent to it, goes by it. */
export function hubNow(): number {
  return clock.at();
}

/** The hub's time at a time of this machine, such as TanStack's `dataUpdatedAt`; both in milliseconds since the epoch. */
export function inHubTime(localMs: number): number {
  return clock.at(localMs);
}

/** Calls back with each new offset of the hub's clock from that of this machine, in milliseconds. */
export function onHubOffset(listener: (offsetMs: number) => void): void {
  listeners.add(listener);
}
