import { createHmac } from 'node:crypto';
import { networkOf } from './network.ts';

/** How often something may be asked for; the window begins with the first request in it. Its subject is a keyed digest, so that the table holds no address. */
export interface RequestLimit {
  readonly subject: string;
  readonly most: number;
  readonly windowSecs: number;
}

const minuteSecs = 60;
const hourSecs = 3600;
const daySecs = 24 * hourSecs;

/** What may ask for e-mails without an account: who registers, and who asks for the link once more. */
export type MailedRequest = 'register' | 'resend';

/** The limits of a request from a network: 5 an hour and 20 a day, and 60 a minute for the whole instance. */
export function requestLimits(key: Buffer, what: MailedRequest, ip: string | undefined): RequestLimit[] {
  const instance = limit(key, ['instance', what], 60, minuteSecs);
  return ip === undefined ? [instance] : [instance, ...hourAndDay(key, [what, networkOf(ip)])];
}

/** The limits of e-mails to an address that nobody has signed in for: 5 an hour and 20 a day. */
export function mailLimits(key: Buffer, email: string): RequestLimit[] {
  return hourAndDay(key, ['mail', email]);
}

function hourAndDay(key: Buffer, parts: readonly string[]): RequestLimit[] {
  return [limit(key, [...parts, 'hour'], 5, hourSecs), limit(key, [...parts, 'day'], 20, daySecs)];
}

function limit(key: Buffer, parts: readonly string[], most: number, windowSecs: number): RequestLimit {
  const subject = createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
  return { subject, most, windowSecs };
}
