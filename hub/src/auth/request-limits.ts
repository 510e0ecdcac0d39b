import { createHmac } from 'node:crypto';
import { limits } from '../limits/table.ts';
import { networkOf } from './network.ts';

/** A count of a limit within a window that begins with the first. The subject is a keyed digest, so that the table in the database holds no address. */
export interface RequestLimit {
  readonly subject: string;
  readonly max: number;
  readonly windowSecs: number;
}

type Limits = typeof limits;
/** The limits that are counted in windows of time. */
export type CountedLimit = {
  [Name in keyof Limits]: Limits[Name] extends { windows: unknown } ? Name : never;
}[keyof Limits];

/** The counts of a limit of the table for whom it counts. */
export function countsOf(key: Buffer, name: CountedLimit, ...whose: readonly string[]): RequestLimit[] {
  return limits[name].windows.map(({ max, secs }) => {
    const subject = createHmac('sha256', key).update(JSON.stringify([name, ...whose, secs]));
    return { subject: subject.digest('base64url'), max, windowSecs: secs };
  });
}

/** Requests of visitors that cause work or e-mails: to register, to get the activation link again, and to set a password by a link. */
export type VisitorRequest = 'register' | 'resend' | 'password-link';

/** The counts of a request for the whole instance, and per network. */
export function visitorCounts(key: Buffer, request: VisitorRequest, ip: string | undefined): RequestLimit[] {
  const ofNetwork = ip === undefined ? [] : countsOf(key, 'visitorRequestsOfNetwork', request, networkOf(ip));
  return [...countsOf(key, 'visitorRequests', request), ...ofNetwork];
}
