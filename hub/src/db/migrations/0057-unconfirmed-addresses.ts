import { sql, type Kysely } from 'kysely';

/** Lets an account have an address that nothing has confirmed yet, and a link to set a password say whether it was mailed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table users add column only_invitation_id text;
    alter table password_links add column is_mailed boolean not null default true;
  `.execute(db);
}
