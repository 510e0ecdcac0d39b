import { sql, type Kysely } from 'kysely';

/** When a deployment token enrols no more devices; null where it has no such end. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table deployment_tokens
      add column expires_at timestamptz,
      add column max_uses bigint,
      add column uses bigint not null default 0;
  `.execute(db);
}
