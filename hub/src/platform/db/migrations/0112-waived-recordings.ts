import { sql, type Kysely } from 'kysely';

/** Terminals that may go on where output cannot be recorded, though their project requires that. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table terminal_sessions
      add column waived_by jsonb,
      add column waived_at timestamptz,
      add column waiver_reason text`.execute(db);
  await sql`alter table queued_mails add column terminal_session_id text`.execute(db);
}
