import { createHmac } from 'node:crypto';
import { networkOf } from './network.ts';

/** A rate limit whose window begins with its first request. The subject is a keyed digest, so that the table holds no address. */
export interface RequestLimit {
  readonly subject: string;
  readonly max: number;
  readonly windowSecs: number;
}

const minuteSecs = 60;
const hourSecs = 3600;
const daySecs = 24 * hourSecs;

/** Requests of visitors that cause work or e-mails: to register, to get the activation link again, and to set a password by a link. */
export type VisitorRequest = 'register' | 'resend' | 'password-link';

/** The limits of a request per network (5 an hour, 20 a day) and for the whole instance (60 a minute). */
export function requestLimits(key: Buffer, request: VisitorRequest, ip: string | undefined): RequestLimit[] {
  const instance = limit(key, ['instance', request], 60, minuteSecs);
  return ip === undefined ? [instance] : [instance, ...hourAndDay(key, [request, networkOf(ip)])];
}

/** The limits of e-mails to an address without an account: 5 an hour and 20 a day. */
export function mailLimits(key: Buffer, email: string): RequestLimit[] {
  return hourAndDay(key, ['mail', email]);
}

/** The limit of test e-mails of an administrator: 10 in ten minutes. */
export function testMailLimits(key: Buffer, userId: string): RequestLimit[] {
  return [limit(key, ['test-mail', userId], 10, 10 * minuteSecs)];
}

/** The limits of invitations of one user: 100 an hour and 400 a day. */
export function invitationLimits(key: Buffer, invitedBy: string): RequestLimit[] {
  return [
    limit(key, ['invitation', 'by', invitedBy], 100, hourSecs),
    limit(key, ['invitation', 'by', invitedBy, 'day'], 400, daySecs),
  ];
}

/** The limits of e-mails with invitations to one address: 20 a day of each inviting user, and 100 a day of all. */
export function invitationMailLimits(key: Buffer, invitedBy: string | null, email: string): RequestLimit[] {
  return [
    limit(key, ['invitation', 'to', email, 'by', invitedBy ?? ''], 20, daySecs),
    limit(key, ['invitation', 'to', email], 100, daySecs),
  ];
}

/** The limits of e-mails to one user with a link to set a password: 5 an hour and 20 a day. */
export function passwordLinkLimits(key: Buffer, userId: string): RequestLimit[] {
  return hourAndDay(key, ['password link', userId]);
}

/** The limit of password changes of an account: 5 an hour. */
export function newPasswordLimits(key: Buffer, userId: string): RequestLimit[] {
  return [limit(key, ['new password', userId], 5, hourSecs)];
}

/** The limits of sign-ins of command lines per network (30 in ten minutes) and for the instance (300 a minute), and the digest of the network. */
export function loginLimits(
  key: Buffer,
  ip: string | undefined,
): { readonly network: string; readonly requests: readonly RequestLimit[] } {
  const ofNetwork = limit(key, ['login', ip === undefined ? '' : networkOf(ip)], 30, 10 * minuteSecs);
  return {
    network: ofNetwork.subject,
    requests: [ofNetwork, limit(key, ['instance', 'login'], 300, minuteSecs)],
  };
}

/** The limit of wrong codes in sign-ins of command lines: 5 in ten minutes per user. None per network, where one user would lock out the others. */
export function wrongCodeLimits(key: Buffer, userId: string): RequestLimit[] {
  return [limit(key, ['login-code', userId], 5, 10 * minuteSecs)];
}

function hourAndDay(key: Buffer, parts: readonly string[]): RequestLimit[] {
  return [limit(key, [...parts, 'hour'], 5, hourSecs), limit(key, [...parts, 'day'], 20, daySecs)];
}

function limit(key: Buffer, parts: readonly string[], max: number, windowSecs: number): RequestLimit {
  const subject = createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
  return { subject, max, windowSecs };
}
