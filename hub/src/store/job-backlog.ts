import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/connect.ts';

/** No count reads more rows than this, so that counting stays cheap. */
const countedAtMost = 100_000;

/** How many devices deleted projects have, at most 100,000. */
export function countDevicesOfDeletedProjects(tx: Database): Promise<number> {
  return countRows(
    tx,
    sql`select true as is_left from all_projects a join all_devices d using (project_id)
      where not exists (select 1 from projects p where p.project_id = a.project_id)`,
  );
}

/** How many deleted devices may have events, at most 100,000. */
export function countDeletedDevices(tx: Database): Promise<number> {
  return countRows(tx, sql`select true as is_left from deleted_devices`);
}

/** How many assets are marked for deletion, at most 100,000; without those that have no bytes any more and wait until no URL can bring them back. */
export function countMarkedAssets(tx: Database): Promise<number> {
  return countRows(
    tx,
    sql`select storage_status <> 'Missing' or upload_url_ends_at is null or upload_url_ends_at < now() as is_left
      from assets where status = 'Deleting'`,
  );
}

/** Which assets are to be checked. */
export interface UncheckedAssets {
  /** Those that were last checked before this. */
  readonly checkedBefore: Date;
  /** Whether those in the data folder do not count. */
  readonly isDiskLeftOut: boolean;
}

/** How many assets are to be checked; reads at most 100,000 rows. */
export function countUncheckedAssets(
  tx: Database,
  { checkedBefore, isDiskLeftOut }: UncheckedAssets,
): Promise<number> {
  const isLeft = isDiskLeftOut ? sql`store_id is not null` : sql`true`;
  // Two ranges of the index by check, each of which is read no further than the bound.
  return countRows(
    tx,
    sql`select ${isLeft} as is_left from assets where status = 'Available' and storage_checked_at is null
      union all select ${isLeft} from assets where status = 'Available' and storage_checked_at < ${checkedBefore}`,
  );
}

async function countRows(tx: Database, rows: RawBuilder<unknown>): Promise<number> {
  const counted = await sql<{ left: number }>`
    select count(*) filter (where is_left) as left from (${rows} limit ${countedAtMost}) as counted`.execute(
    tx,
  );
  return counted.rows[0]?.left ?? 0;
}
