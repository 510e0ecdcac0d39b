import { ActionError } from '@corral/contract';

const defaultSecs = 3600;
const daySecs = 24 * 3600;
const maxSecs = { 'proxy token': daySecs, 'device token': 366 * daySecs } as const;

/** The lifetime of a token in seconds, one hour by default. Throws an `ActionError` outside one second to one day, for device tokens 366 days. */
export function validitySecs(requestedSecs: number | undefined, kind: keyof typeof maxSecs): number {
  const secs = requestedSecs ?? defaultSecs;
  if (secs >= 1 && secs <= maxSecs[kind]) return secs;
  throw new ActionError('Invalid', `A ${kind} may be valid for 1 to ${maxSecs[kind]} seconds.`);
}
