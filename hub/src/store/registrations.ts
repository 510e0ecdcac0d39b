import { activationValidForSecs } from '../auth/activation-token.ts';
import { newRawId } from '../auth/random.ts';
import { mailLimits } from '../auth/request-limits.ts';
import type { Database } from '../db/connect.ts';
import { instanceKey, type KeyContext } from './instance-keys.ts';
import { queueMail } from './mail-queue.ts';
import { countWithinLimits } from './request-limits.ts';

/** The data of a registration. */
export interface NewRegistration {
  /** Canonical. */
  readonly email: string;
  readonly displayName: string | null;
  readonly passwordHash: string;
  readonly consentedToMarketing: boolean;
  readonly now: Date;
}

/** Stores a registration; returns its raw id, which the account will have. */
export async function addRegistration(tx: Database, registration: NewRegistration): Promise<string> {
  const { email, displayName, passwordHash, consentedToMarketing, now } = registration;
  const userId = newRawId();
  await tx
    .insertInto('user_registrations')
    .values({
      user_id: userId,
      email,
      display_name: displayName,
      password_hash: passwordHash,
      consented_to_marketing: consentedToMarketing,
      created_at: now,
      expires_at: expiryOf(now),
    })
    .execute();
  return userId;
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

/** Renews the expiry of the newest registration of an address; returns its raw id. */
export async function renewRegistration(tx: Database, email: string, now: Date): Promise<string | undefined> {
  const renewed = await tx
    .updateTable('user_registrations')
    .set({ expires_at: expiryOf(now) })
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
  return countWithinLimits(keyContext.tx, mailLimits(key, email), keyContext.now);
}

/** Queues the link of a registration. */
export function queueActivation(tx: Database, userId: string, now: Date): Promise<void> {
  return queueMail(tx, { kind: 'Activation', userId, now });
}

function expiryOf(now: Date): Date {
  return new Date(now.getTime() + activationValidForSecs * 1000);
}
