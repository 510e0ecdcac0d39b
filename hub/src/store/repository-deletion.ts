import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { assetLockOrder } from './assets.ts';
import { allowLongStatements } from './allow-long-statements.ts';

/** Deletes repositories with everything in them; returns their raw ids and names. Their assets stay as rows until the collector has deleted their bytes. */
export async function deleteRepositories(
  tx: Database,
  repositoryIds: readonly string[],
): Promise<{ repositoryId: string; name: string }[]> {
  if (repositoryIds.length === 0) return [];
  await allowLongStatements(tx);
  const deleted = await tx
    .deleteFrom('repositories')
    .where(sql<boolean>`repository_id = any(${[...repositoryIds]})`)
    .returning(['repository_id as repositoryId', 'name'])
    .execute();
  await sql`
    with live as materialized (
      select a.asset_id from assets a where a.repository_id = any(${[...repositoryIds]}) and a.status <> 'Deleting'
      order by ${assetLockOrder} for no key update
    )
    update assets a set status = 'Deleting', touched_at = now() from live where a.asset_id = live.asset_id`.execute(
    tx,
  );
  return deleted;
}
