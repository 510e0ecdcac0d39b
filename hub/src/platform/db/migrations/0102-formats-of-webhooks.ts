import { sql, type Kysely } from 'kysely';

/** Webhooks whose messages are as a service wants them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table webhooks add column format text not null default 'Standard'`.execute(db);
}
