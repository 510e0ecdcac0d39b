import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

/** Where the bytes of new assets go. */
export interface CurrentStore {
  /** Null for the data folder of the hub. */
  readonly storeId: string | null;
  /** The beginning of all keys in this store. */
  readonly prefix: string;
}

/** The store of a repository's new assets: its own, else that of the instance, else the data folder. */
export async function storeForNewAssets(tx: Database, repositoryId: string): Promise<CurrentStore> {
  const row = await tx
    .selectFrom('object_stores')
    .select(['store_id', 'prefix'])
    .where('replaced_at', 'is', null)
    .where(sql<boolean>`coalesce(repository_id, '') in (${repositoryId}, '')`)
    .orderBy('repository_id', (order) => order.asc().nullsLast())
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? { storeId: null, prefix: '' } : { storeId: row.store_id, prefix: row.prefix };
}
