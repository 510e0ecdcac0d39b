import { actionQuery } from '../data/action-query.ts';
import { freshForFiveMinutes } from '../data/intervals.ts';

/** Whether the token of a link arrived whole: mail programs cut long links. */
export function isWholeToken(token: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]{43}$/.test(token);
}

/** What the link of an activation or of a new password is about, by its token; it is not used by that. */
export const accountLinkQuery = (token: string) =>
  actionQuery('users_ResolveAccountLink', { token }, freshForFiveMinutes);
