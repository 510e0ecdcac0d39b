import { sql, type Kysely } from 'kysely';

/** E-mails may have new kinds. Only the hub's own statements write them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table queued_mails drop constraint queued_mails_kind_check`.execute(db);
}
