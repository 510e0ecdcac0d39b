import type { Actor } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

const recordedForMs = 3_600_000;
/** How many expired rows a call deletes: more than it adds, so that the table keeps little more than the downloads of an hour. */
const removedAtOnce = 10;

/**
 * Records a download of an asset, by raw id, and returns whether it belongs in the audit log: true for the first one of the actor within
 * an hour. Concurrent calls, on any node, wait for each other's transaction, and one of them gets true. Also deletes some expired rows.
 */
export async function recordDownload(
  tx: Database,
  { assetId, actor, now }: { readonly assetId: string; readonly actor: Actor; readonly now: Date },
): Promise<boolean> {
  const before = new Date(now.getTime() - recordedForMs);
  const key = sql`actor_key(${JSON.stringify(actor)}::jsonb)`;
  const { rows } = await sql`
    with old as (
      select r.asset_id, r.actor_key from recorded_downloads r
      where r.recorded_at <= ${before} and (r.asset_id, r.actor_key) <> (${assetId}, ${key})
      order by r.recorded_at limit ${removedAtOnce} for update skip locked
    ), removed as (
      delete from recorded_downloads r using old where (r.asset_id, r.actor_key) = (old.asset_id, old.actor_key)
    )
    insert into recorded_downloads as r (asset_id, actor_key, recorded_at) values (${assetId}, ${key}, ${now})
    on conflict (asset_id, actor_key) do update set recorded_at = excluded.recorded_at
      where r.recorded_at <= ${before}
    returning 1`.execute(tx);
  return rows.length > 0;
}
