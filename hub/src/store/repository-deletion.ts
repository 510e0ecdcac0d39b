import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { allowLongDelete } from './long-deletes.ts';

/** Deletes repositories with everything in them; returns their raw ids and names. Their assets stay as rows until the collector has deleted their bytes. */
export async function deleteRepositories(
  tx: Database,
  repositoryIds: readonly string[],
): Promise<{ repositoryId: string; name: string }[]> {
  if (repositoryIds.length === 0) return [];
  await allowLongDelete(tx);
  const deleted = await tx
    .deleteFrom('repositories')
    .where(sql<boolean>`repository_id = any(${[...repositoryIds]})`)
    .returning(['repository_id as repositoryId', 'name'])
    .execute();
  await sql`
    update assets set status = 'Deleting', touched_at = now() where repository_id = any(${[...repositoryIds]}) and status <> 'Deleting'`.execute(
    tx,
  );
  return deleted;
}
