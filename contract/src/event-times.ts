/** How far the clock of a device may be off, or an event be late, for the time of emission to be taken as it is. */
const trustedOffsetMs = 5 * 60_000;

/** The two times of an event of a device: by the clock of the device, and by that of the hub. */
export interface EventTimes {
  readonly emittedAt: string;
  readonly receivedAt?: string | undefined;
}

/** By how many milliseconds the time of emission lies ahead of the time of receipt, or behind it if negative; 0 up to five minutes. */
export function eventOffsetMs({ emittedAt, receivedAt }: EventTimes): number {
  const offsetMs = receivedAt === undefined ? 0 : Date.parse(emittedAt) - Date.parse(receivedAt);
  return Math.abs(offsetMs) <= trustedOffsetMs ? 0 : offsetMs;
}

/** When an event happened, as lists sort and filter it: the time of emission, or the time of receipt where the two are more than five minutes apart. */
export function eventTime(times: EventTimes): string {
  return eventOffsetMs(times) === 0 ? times.emittedAt : (times.receivedAt ?? times.emittedAt);
}
