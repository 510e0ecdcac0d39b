import { randomBytes } from 'node:crypto';
import { ids, randomSymbols } from '@corral/contract';
import type { ConnectRateLimit } from '../src/entry/gateway/connect-rate-limit.ts';
import type { DeviceCredentials, UserCredentials } from '../src/entry/gateway/credentials.ts';
import type { AdmissionError } from '../src/entry/gateway/refuse-upgrade.ts';
import { newFingerprint } from './seed.ts';

/** A deployment token that was not used yet. */
export const newToken = () => ids.deploymentToken.of(randomSymbols(66, randomBytes));
/** The deployment token of devices that are given no other. */
export const token = newToken();
/** A device with a fingerprint of its own. */
export const device = (isRegistered = true, withToken = token): DeviceCredentials => ({
  kind: 'device',
  token: withToken,
  fingerprint: newFingerprint(),
  isRegistered,
});
let guesses = 0;
/** A user with a token of its own. */
export const unknownUser = (): UserCredentials => ({
  kind: 'user',
  token: ids.userToken.of(String((guesses += 1)).padStart(66, '1')),
});
/** The address that attempts come from. */
export const address = '203.0.113.1';

/** Begins an attempt; returns the refusal, if it is refused. */
export function refusalOf(
  limit: ConnectRateLimit,
  credentials: DeviceCredentials | UserCredentials,
  from = address,
): AdmissionError | undefined {
  try {
    limit.begin(credentials, from);
    return undefined;
  } catch (error) {
    return error as AdmissionError;
  }
}

/** Connects devices from many networks until one is refused. */
export function useUp(limit: ConnectRateLimit): void {
  const next = (count: number) => refusalOf(limit, device(true, newToken()), `192.0.2.${count % 250}`);
  for (let count = 0; next(count) === undefined; count += 1);
}
