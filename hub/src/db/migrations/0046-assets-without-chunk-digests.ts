import { sql, type Kysely } from 'kysely';

/** Notes in each asset whether its chunk digests are known, so that those without are found in an index instead of among all. Triggers do it, so that hubs of the release before need not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Most assets have them, and a default for the rows that exist rewrites none.
  await sql`alter table assets add column has_chunk_digests boolean not null default true`.execute(db);
  await sql`
    update assets a set has_chunk_digests = false
      where a.size > 1048576 and not exists (select from asset_chunks c where c.asset_id = a.asset_id)`.execute(
    db,
  );
  await sql`
    alter table assets alter column has_chunk_digests set default false;
    create index assets_without_chunk_digests on assets (coalesce(store_id, ''), asset_id)
      where status = 'Available' and not has_chunk_digests and size > 1048576 and storage_status not in ('Missing', 'Mismatched');
    create function note_chunk_digests() returns trigger language plpgsql as $$ begin
      update assets set has_chunk_digests = (tg_op = 'INSERT') where asset_id = coalesce(new.asset_id, old.asset_id);
      return null;
    end $$;
    create trigger note_chunk_digests after insert or delete on asset_chunks for each row execute function note_chunk_digests();`.execute(
    db,
  );
}
