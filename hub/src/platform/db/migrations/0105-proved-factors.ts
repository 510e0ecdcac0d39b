import { sql, type Kysely } from 'kysely';

/** Whether who set up an authenticator, or got recovery codes, had proved who it is: others confirm nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['totp_factors', 'recovery_codes'])
    await sql`alter table ${sql.table(table)} add column is_proved boolean not null default true`.execute(db);
}
