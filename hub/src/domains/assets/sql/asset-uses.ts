import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** SQL of the number of files that refer to an asset; the statement's `assets` must be named `a`. It reads sums that the trigger count_asset_uses keeps. */
export const usesOfAsset = sql<number>`(a.reference_count
  + coalesce((select sum(c.uses) from asset_use_changes c where c.asset_id = a.asset_id), 0))::bigint`;

/** How many changes one fold reads. */
const maxChanges = 20_000;

/** Adds the changes of uses to the assets, except to those that somebody has locked. Readers see each change exactly once. */
export async function foldAssetUses(tx: Database): Promise<void> {
  await sql`
    with free as (
      select a.asset_id from assets a
      where a.asset_id in (select c.asset_id from asset_use_changes c limit ${maxChanges})
      order by a.asset_id for no key update skip locked
    ),
    moved as (
      delete from asset_use_changes c using free where c.asset_id = free.asset_id returning c.asset_id, c.uses
    )
    update assets a set reference_count = a.reference_count + added.uses
      from (select asset_id, sum(uses) as uses from moved group by asset_id) as added
      where a.asset_id = added.asset_id`.execute(tx);
}
