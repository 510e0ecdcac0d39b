import { sql, type Kysely } from 'kysely';

/** How many files refer to an asset; the upkeep adds the changes to the column. */
const columns = sql`
  alter table assets add column reference_count bigint not null default 0;
  create table asset_use_changes (
    asset_id text not null references assets on delete cascade,
    uses bigint not null
  );
  create index asset_use_changes_by_asset on asset_use_changes (asset_id);
`;

/** An update of the assets would lock them until a long deletion of a package ends, and nobody could attach them meanwhile. */
const triggers = sql`
  create function count_asset_uses() returns trigger language plpgsql as $$ begin
    insert into asset_use_changes (asset_id, uses)
      select asset_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by asset_id order by asset_id;
    return null;
  end $$;
  create trigger count_uses_added after insert on version_assets
    referencing new table as changed for each statement execute function count_asset_uses();
  create trigger count_uses_removed after delete on version_assets
    referencing old table as changed for each statement execute function count_asset_uses();
  create trigger count_uses_added after insert on package_assets
    referencing new table as changed for each statement execute function count_asset_uses();
  create trigger count_uses_removed after delete on package_assets
    referencing old table as changed for each statement execute function count_asset_uses();
`;

/** Added by the upkeep, some thousands at a time. */
const presentUses = sql`
  insert into asset_use_changes (asset_id, uses)
    select asset_id, count(*) from (
      select asset_id from version_assets union all select asset_id from package_assets
    ) as files group by asset_id;
`;

const indexes = sql`create index assets_by_uses on assets (repository_id, reference_count, asset_id)`;

/** Counts the files that refer to each asset, by triggers, which also see the writes of a hub of the previous release. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const part of [columns, triggers, presentUses, indexes]) await part.execute(db);
}
