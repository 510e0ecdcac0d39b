import { sql } from 'kysely';
import type { Identity } from '../../../auth/oidc/provider.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { readPasskeys } from '../../passkeys/index.ts';
import { hasProvedFactorSql, hasUsablePassword } from '../../users/index.ts';

/** Takes over what the provider says of an identity; the raw id of the user to whom it is linked, if any. */
export async function renewIdentity(
  tx: Database,
  { issuer, subject, email, name }: Identity,
): Promise<string | undefined> {
  const row = await tx
    .updateTable('user_identities')
    .set({ email: email ?? null, name: name ?? null })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

/** Notes that a sign-in with an identity has become a session: one that still waits for a second factor is no use of it. */
export async function noteUse(
  tx: Database,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('user_identities')
    .set({ last_used_at: now })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute();
}

/** Whether a user, by its raw id, may sign in at all. */
export async function isEnabled(tx: Database, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Links an identity to a user; Refused if it is linked to another, or the user has too many. */
export async function addIdentity(
  tx: Database,
  userId: string,
  { issuer, subject, email, name }: Identity,
  now: Date,
): Promise<'Added' | 'Known' | 'Refused'> {
  // The lock keeps links in parallel from being too many together.
  await lockUser(tx, userId);
  const { rows } = await sql<{ is_new: boolean }>`
    insert into user_identities (issuer, subject, user_id, email, name, linked_at)
      select ${issuer}, ${subject}, ${userId}, ${email ?? null}, ${name ?? null}, ${now}
      where (select count(*) from user_identities where user_id = ${userId}) < ${amounts.identities.max}
    on conflict (issuer, subject) do update set email = excluded.email, name = excluded.name
      where user_identities.user_id = excluded.user_id
    returning xmax = 0 as is_new`.execute(tx);
  if (rows[0] === undefined) return 'Refused';
  return rows[0].is_new ? 'Added' : 'Known';
}

/** The identities of a user, by its raw id; undefined if there is no such user. */
export async function readIdentities(tx: Database, userId: string) {
  const user = await tx
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (user === undefined) return undefined;
  return tx
    .selectFrom('user_identities')
    .select(['issuer', 'subject', 'email', 'name', 'linked_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('linked_at')
    .orderBy('subject')
    .execute();
}

/** Whether an identity confirms who a user is: it is linked, and the user has no second factor that confirms it, which counts more. */
export async function confirms(
  tx: Database,
  userId: string,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from user_identities i
    where i.user_id = ${userId} and i.issuer = ${issuer} and i.subject = ${subject}
      and not ${hasProvedFactorSql(sql`i.user_id`)}`.execute(tx);
  return rows.length > 0;
}

const mostShown = 20;

/** How many users are linked to an issuer. */
export async function countLinked(tx: Database, issuer: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct user_id)::integer as n from user_identities where issuer = ${issuer}`.execute(tx);
  return rows[0]?.n ?? 0;
}

/** Whether an administrator who is linked to an issuer has signed in there since. */
export async function hasLinkedAdministrator(tx: Database, issuer: string, since: Date): Promise<boolean> {
  const row = await tx
    .selectFrom('user_identities as i')
    .innerJoin('users as u', 'u.user_id', 'i.user_id')
    .select('u.user_id')
    .where('i.issuer', '=', issuer)
    .where('i.last_used_at', '>', since.toISOString())
    .where('u.is_admin', '=', true)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The addresses of the first of them. */
export async function firstLinked(tx: Database, issuer: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email from users where exists (
      select 1 from user_identities i where i.user_id = users.user_id and i.issuer = ${issuer})
    order by email limit ${mostShown}`.execute(tx);
  return rows.map(({ email }) => email);
}

/** Unlinks an identity from a user, unless nothing else lets the user sign in: a password that may be used, or a passkey of the present name of the hub. */
export async function removeIdentity(
  tx: Database,
  userId: string,
  { issuer, subject }: Pick<Identity, 'issuer' | 'subject'>,
  rpId: string | undefined,
): Promise<'Removed' | 'Absent' | 'Last'> {
  await lockUser(tx, userId);
  const identities = await tx
    .selectFrom('user_identities')
    .select(['issuer', 'subject'])
    .where('user_id', '=', userId)
    .execute();
  if (!identities.some((one) => one.issuer === issuer && one.subject === subject)) return 'Absent';
  const hasPasskey = (await readPasskeys(tx, userId)).some((passkey) => passkey.rp_id === rpId);
  if (identities.length === 1 && !hasPasskey && !(await hasUsablePassword(tx, userId))) return 'Last';
  await tx
    .deleteFrom('user_identities')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('user_id', '=', userId)
    .execute();
  return 'Removed';
}

/** Unlinks all identities of a user, by its raw id; whether there were any. */
export async function removeAllIdentities(tx: Database, userId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('user_identities')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

function lockUser(tx: Database, userId: string) {
  return tx.selectFrom('users').select('user_id').where('user_id', '=', userId).forUpdate().execute();
}
