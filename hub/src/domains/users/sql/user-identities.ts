import { sql } from 'kysely';
import type { Identity } from '../../../auth/oidc/provider.ts';
import { amounts } from '../../../limits/amounts.ts';
import type { Database } from '../../../platform/db/connect.ts';

/** Notes a sign-in with an identity; the raw id of the user to whom it is linked, if any. */
export async function noteSignIn(
  tx: Database,
  { issuer, subject, email, name }: Identity,
  now: Date,
): Promise<string | undefined> {
  const row = await tx
    .updateTable('user_identities')
    .set({ email: email ?? null, name: name ?? null, last_used_at: now })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

/** Links an identity to a user; false if it is linked to another, or the user has too many. */
export async function addIdentity(
  tx: Database,
  userId: string,
  { issuer, subject, email, name }: Identity,
  now: Date,
): Promise<boolean> {
  // The lock keeps links in parallel from being too many together.
  await tx.selectFrom('users').select('user_id').where('user_id', '=', userId).forUpdate().execute();
  const { rows } = await sql<{ user_id: string }>`
    insert into user_identities (issuer, subject, user_id, email, name, linked_at)
      select ${issuer}, ${subject}, ${userId}, ${email ?? null}, ${name ?? null}, ${now}
      where (select count(*) from user_identities where user_id = ${userId}) < ${amounts.identities.max}
    on conflict (issuer, subject) do update set email = excluded.email, name = excluded.name
      where user_identities.user_id = excluded.user_id
    returning user_id`.execute(tx);
  return rows.length === 1;
}
