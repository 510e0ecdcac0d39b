import { sql, type Kysely } from 'kysely';

/** Remembers for an hour whose download of which asset is in the audit log, so that it is there once however often a client asks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table recorded_downloads (
      asset_id text not null,
      actor_key text not null,
      recorded_at timestamptz not null,
      primary key (asset_id, actor_key)
    );
    create index recorded_downloads_by_time on recorded_downloads (recorded_at)`.execute(db);
}
