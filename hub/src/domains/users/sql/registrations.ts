import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { linkValidForSecs } from '../../../auth/link-token.ts';
import { countsOf } from '../../../auth/request-limits.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { instanceKey, type KeyContext } from '../../instance/index.ts';
import { queueMail } from './mail-queue.ts';
import { countWithinLimits } from './request-limits.ts';

const unmailedForMs = 7 * 86_400_000;

/** The data of a registration. */
export interface NewRegistration {
  /** Canonical. */
  readonly email: string;
  readonly displayName: string | null;
  readonly passwordHash: string;
  readonly consentedToMarketing: boolean;
  /** The raw id that the account will have. */
  readonly userId: string;
  readonly now: Date;
}

/** Stores a registration. Where its link is passed on by an administrator, who may be away, it is kept for a week. */
export async function addRegistration(
  tx: Database,
  registration: NewRegistration,
  isMailed: boolean,
): Promise<void> {
  const { userId, email, displayName, passwordHash, consentedToMarketing, now } = registration;
  await tx
    .insertInto('user_registrations')
    .values({
      user_id: userId,
      email,
      display_name: displayName,
      password_hash: passwordHash,
      consented_to_marketing: consentedToMarketing,
      created_at: now,
      expires_at: isMailed ? expiryOf(now) : new Date(now.getTime() + unmailedForMs),
    })
    .execute();
}

/** A registration that can be activated. */
export async function findRegistration(
  tx: Database,
  userId: string,
  now: Date,
): Promise<{ user_id: string; email: string; display_name: string | null } | undefined> {
  return tx
    .selectFrom('user_registrations')
    .select(['user_id', 'email', 'display_name'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
}

interface Kept {
  /** The raw id. */
  readonly registrationId: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** Keeps a registration at least until a time; false if it has expired. */
export async function keepRegistrationUntil(
  tx: Database,
  { registrationId, now, expiresAt }: Kept,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('user_registrations')
    .set({ expires_at: sql`greatest(expires_at, ${expiresAt})` })
    .where('user_id', '=', registrationId)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Makes the account of a registration; undefined if its address has one. `onlyInvitationId` is set for an address that nothing confirms. */
export async function addAccount(
  tx: Database,
  registration: NewRegistration,
  { consentedAt, onlyInvitationId = null }: { consentedAt: Date | string; onlyInvitationId?: string | null },
): Promise<Id<'user'> | undefined> {
  const { userId, email, displayName, passwordHash, consentedToMarketing, now } = registration;
  const account = await tx
    .insertInto('users')
    .values({
      user_id: userId,
      email,
      display_name: displayName,
      password_hash: passwordHash,
      is_admin: false,
      created_at: now,
      consented_to_terms_at: consentedAt,
      consented_to_marketing_at: consentedToMarketing ? consentedAt : null,
      only_invitation_id: onlyInvitationId,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return account && ids.user.of(account.user_id);
}

/** The oldest unconfirmed registration of an address. */
export async function oldestRegistration(
  tx: Database,
  email: string,
  now: Date,
): Promise<{ created_at: string; email_sent_at: string | null } | undefined> {
  return tx
    .selectFrom('user_registrations')
    .select(['created_at', 'email_sent_at'])
    .where('email', '=', email)
    .where('expires_at', '>', now.toISOString())
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
}

/** Renews the expiry of the newest registration of an address, unless it is later already; returns its raw id. */
export async function renewRegistration(tx: Database, email: string, now: Date): Promise<string | undefined> {
  const renewed = await tx
    .updateTable('user_registrations')
    .set({ expires_at: sql`greatest(expires_at, ${expiryOf(now)})` })
    .where('user_id', '=', (newest) =>
      newest
        .selectFrom('user_registrations')
        .select('user_id')
        .where('email', '=', email)
        .where('expires_at', '>', now.toISOString())
        .orderBy('created_at', 'desc')
        .limit(1),
    )
    .returning('user_id')
    .executeTakeFirst();
  return renewed?.user_id;
}

/** Deletes a confirmed registration and all others of its address; undefined if it has expired. */
export async function consumeRegistration(tx: Database, userId: string, now: Date) {
  const taken = await tx
    .deleteFrom('user_registrations')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now.toISOString())
    .returning(['user_id', 'email', 'display_name', 'password_hash', 'consented_to_marketing', 'created_at'])
    .executeTakeFirst();
  if (taken !== undefined)
    await tx.deleteFrom('user_registrations').where('email', '=', taken.email).execute();
  return taken;
}

/** Records that the link of a registration was sent; returns the address; undefined if the registration is deleted. */
export async function recordRegistrationEmail(
  tx: Database,
  userId: string,
  now: Date,
): Promise<string | undefined> {
  const noted = await tx
    .updateTable('user_registrations')
    .set({ email_sent_at: now })
    .where('user_id', '=', userId)
    .returning('email')
    .executeTakeFirst();
  return noted?.email;
}

/** Deletes the registrations that were not confirmed in time. */
export async function deleteExpiredRegistrations(tx: Database, now: Date): Promise<void> {
  await tx.deleteFrom('user_registrations').where('expires_at', '<=', now.toISOString()).execute();
}

/** Counts an unsolicited e-mail to an address, and returns whether it may be sent. */
export async function countMailTo(keyContext: KeyContext, email: string): Promise<boolean> {
  const key = await instanceKey(keyContext, 'request-limits');
  return countWithinLimits(keyContext.tx, countsOf(key, 'mailsToAddress', email), keyContext.now);
}

/** Queues the link of a registration. */
export function queueActivation(tx: Database, userId: string, now: Date): Promise<void> {
  return queueMail(tx, { kind: 'Activation', userId, now });
}

function expiryOf(now: Date): Date {
  return new Date(now.getTime() + linkValidForSecs.activation * 1000);
}
