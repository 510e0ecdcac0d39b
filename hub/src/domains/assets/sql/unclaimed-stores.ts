import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** A bucket, and the endpoint of its store. */
export interface Bucket {
  readonly endpoint: string;
  readonly bucket: string;
}

/** The object stores in which a restored copy deletes nothing until an operator claims them. */
export interface UnclaimedStores {
  /** The first buckets, in the order of their endpoints and names. */
  readonly buckets: readonly Bucket[];
  /** How many buckets there are. */
  readonly count: number;
  /** How many assets in them are marked for deletion. */
  readonly markedAssets: number;
}

const maxNamed = 20;

/** SQL that is true if an asset, whose table must be named `a`, is where this hub may delete objects. */
export const isInClaimedStore: RawBuilder<boolean> = sql<boolean>`not exists (
  select from object_stores s where s.store_id = a.store_id and s.unclaimed_since is not null)`;

/** The stores in which this hub deletes nothing; none before a migration has added the column. */
export async function findUnclaimedStores(tx: Database): Promise<UnclaimedStores> {
  const { rows } = await sql<Bucket & { count: number; marked: number }>`
    select endpoint, bucket, count(*) over () as count, sum(marked) over () as marked from (
      select s.endpoint, s.bucket, sum((
        select count(*) from assets a where a.status = 'Deleting' and a.store_id = s.store_id
      )) as marked from object_stores s where to_jsonb(s) ->> 'unclaimed_since' is not null group by s.endpoint, s.bucket
    ) as buckets order by endpoint, bucket limit ${maxNamed}`.execute(tx);
  const buckets = rows.map(({ endpoint, bucket }) => ({ endpoint, bucket }));
  return { buckets, count: Number(rows[0]?.count ?? 0), markedAssets: Number(rows[0]?.marked ?? 0) };
}

/** From now on this hub deletes nothing in the stores that it knows, which came with a backup. */
export async function leaveStoresUnclaimed(tx: Database, now: Date): Promise<void> {
  await tx
    .updateTable('object_stores')
    .set({ unclaimed_since: now })
    .where('unclaimed_since', 'is', null)
    .execute();
}

/** From now on this hub deletes in all stores what it needs no longer. */
export async function claimStores(tx: Database): Promise<void> {
  await tx
    .updateTable('object_stores')
    .set({ unclaimed_since: null })
    .where('unclaimed_since', 'is not', null)
    .execute();
}

/** SQL for a new store: unclaimed like any other store in a bucket of this name, which another address or prefix may lead to. */
export const unclaimedLike = (bucket: string): RawBuilder<Date | null> => sql<Date | null>`(
  select min(unclaimed_since) from object_stores where bucket = ${bucket})`;
