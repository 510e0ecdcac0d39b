import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { assetLockOrder } from '../../assets/index.ts';
import { allowLongStatements } from '../../../platform/db/allow-long-statements.ts';
import { endLinksOf, type ProjectLink } from '../../projects/index.ts';
import { keepNamesOfDeleted } from './repository-names.ts';

/** What was deleted, by raw ids. */
interface DeletedRepositories {
  readonly repositories: readonly { readonly repositoryId: string; readonly name: string }[];
  /** The links to projects that ended, whose members must learn of it. */
  readonly links: readonly ProjectLink[];
}

/** Deletes repositories by raw id with everything in them. Their assets and stores stay as rows until the collector has deleted the bytes. */
export async function deleteRepositories(
  tx: Database,
  repositoryIds: readonly string[],
  now: Date,
): Promise<DeletedRepositories> {
  if (repositoryIds.length === 0) return { repositories: [], links: [] };
  await allowLongStatements(tx);
  const links = await endLinksOf(tx, 'repository', repositoryIds);
  await keepNamesOfDeleted(tx, repositoryIds, now);
  const deleted = await tx
    .deleteFrom('repositories')
    .where(sql<boolean>`repository_id = any(${[...repositoryIds]})`)
    .returning(['repository_id as repositoryId', 'name'])
    .execute();
  await sql`update object_stores set replaced_at = ${now}
    where repository_id = any(${[...repositoryIds]}) and replaced_at is null`.execute(tx);
  await sql`
    with live as materialized (
      select a.asset_id from assets a where a.repository_id = any(${[...repositoryIds]}) and a.status <> 'Deleting'
      order by ${assetLockOrder} for no key update
    )
    update assets a set status = 'Deleting', touched_at = now() from live where a.asset_id = live.asset_id`.execute(
    tx,
  );
  return { repositories: deleted, links };
}
