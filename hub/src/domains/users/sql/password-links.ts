import { newRawId } from '../../../auth/random.ts';
import { linkValidForSecs, signLinkToken } from '../../../auth/link-token.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { instanceKey, type KeyContext } from '../../instance/index.ts';
import { queueMail } from './mail-queue.ts';

/** Makes the link by which a user sets a password, instead of an earlier one, and queues the e-mail with it; returns its end. */
export async function sendPasswordLink(tx: Database, userId: string, now: Date): Promise<Date> {
  const { expires_at: expiresAt } = await makePasswordLink(tx, userId, now, true);
  await queueMail(tx, { kind: 'PasswordLink', userId, now });
  return expiresAt;
}

/** Makes such a link for an administrator to pass on; returns it, to the console at an origin, and its end. */
export async function issuePasswordLink(
  { tx, now, vault }: KeyContext,
  consoleOrigin: string,
  userId: string,
): Promise<{ url: string; expiresAt: string }> {
  const { link_id: linkId, expires_at: expiresAt } = await makePasswordLink(tx, userId, now, false);
  const key = await instanceKey({ tx, now, vault }, 'password-link');
  const token = await signLinkToken(key, 'password', { id: linkId, issuedAt: now, expiresAt });
  return { url: `${consoleOrigin}/set-password?jwt=${token}`, expiresAt: expiresAt.toISOString() };
}

async function makePasswordLink(tx: Database, userId: string, now: Date, isMailed: boolean) {
  const expiresAt = new Date(now.getTime() + linkValidForSecs.password * 1000);
  const link = { link_id: newRawId(), created_at: now, expires_at: expiresAt, is_mailed: isMailed };
  await tx
    .insertInto('password_links')
    .values({ ...link, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(link))
    .execute();
  return link;
}

/** Whom a link is for; undefined for a link that was used, was withdrawn or has expired, and while the user is disabled. */
export async function userOfPasswordLink(
  tx: Database,
  linkId: string,
  now: Date,
): Promise<{ user_id: string; email: string; display_name: string | null } | undefined> {
  return tx
    .selectFrom('password_links as l')
    .innerJoin('users as u', 'u.user_id', 'l.user_id')
    .select(['u.user_id', 'u.email', 'u.display_name'])
    .where('l.link_id', '=', linkId)
    .where('l.expires_at', '>', now.toISOString())
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst();
}

/** Deletes a link so that it is used once; undefined if another request has used it, or it was withdrawn or has expired. */
export async function redeemPasswordLink(
  tx: Database,
  linkId: string,
  now: Date,
): Promise<{ is_mailed: boolean } | undefined> {
  return tx
    .deleteFrom('password_links')
    .where('link_id', '=', linkId)
    .where('expires_at', '>', now.toISOString())
    .returning('is_mailed')
    .executeTakeFirst();
}

/** Makes the link of a user useless, such as when the password is set otherwise. */
export async function withdrawPasswordLink(tx: Database, userId: string): Promise<void> {
  await tx.deleteFrom('password_links').where('user_id', '=', userId).execute();
}

/** Deletes the links that have expired. */
export async function deleteExpiredPasswordLinks(tx: Database, now: Date): Promise<void> {
  await tx.deleteFrom('password_links').where('expires_at', '<=', now.toISOString()).execute();
}
