import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../db/connect.ts';

/** No count reads more rows than this, so that counting stays cheap. */
const countedAtMost = 100_000;

/** What is to be counted. */
export interface LeftWork {
  /** The names of jobs in `hub/src/jobs`. */
  readonly jobs: ReadonlySet<string>;
  /** Stored bytes that were checked before this are checked again. */
  readonly checkedBefore: Date;
  /** Whether the data folder holds no assets that this node may check. */
  readonly isDiskLeftOut: () => Promise<boolean>;
}

type Count = (tx: Database, work: LeftWork) => Promise<number>;

const counts: Readonly<Record<string, Count>> = {
  'delete-devices-of-deleted-projects': async (tx) => (await devicesOfProjects(tx)) + (await devices(tx)),
  'delete-events-of-deleted-devices': devices,
  'collect-assets': markedAssets,
  'scrub-assets': uncheckedAssets,
};

/** How many devices or assets each of these jobs still has before it, by the name of the job; jobs that count nothing are absent. */
export async function countWorkLeft(tx: Database, work: LeftWork): Promise<ReadonlyMap<string, number>> {
  const left = new Map<string, number>();
  for (const name of work.jobs) {
    const count = counts[name];
    if (count !== undefined) left.set(name, await count(tx, work));
  }
  return left;
}

/** Those of deleted projects. */
function devicesOfProjects(tx: Database): Promise<number> {
  return countRows(
    tx,
    sql`select true as is_left from all_projects a join all_devices d using (project_id)
      where not exists (select 1 from projects p where p.project_id = a.project_id)`,
  );
}

/** Deleted ones that may have events. */
function devices(tx: Database): Promise<number> {
  return countRows(tx, sql`select true as is_left from deleted_devices`);
}

/** Without those that have no bytes any more and wait until no URL can bring them back. */
function markedAssets(tx: Database): Promise<number> {
  return countRows(
    tx,
    sql`select storage_status <> 'Missing' or upload_url_ends_at is null or upload_url_ends_at < now() as is_left
      from assets where status = 'Deleting'`,
  );
}

/** Two ranges of the index by check, each of which is read no further than the bound. */
async function uncheckedAssets(tx: Database, { checkedBefore, isDiskLeftOut }: LeftWork): Promise<number> {
  const isLeft = (await isDiskLeftOut()) ? sql`store_id is not null` : sql`true`;
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
