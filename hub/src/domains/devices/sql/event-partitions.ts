import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../platform/db/tables.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { monthFrom } from './event-months.ts';

const partitionsLock = 7_201_101;
/** PostgreSQL's codes for the end of a `lock_timeout`, and for a cancelled statement, also by its `statement_timeout`. */
const heldUpCodes: ReadonlySet<unknown> = new Set(['55P03', '57014']);
/** How long a change of partitions waits for readers and writers of events, who meanwhile wait behind it. */
const lockWaitMs = 250;
/** How long each statement of a change may take: events that are being published wait meanwhile. */
const changeTimeoutMs = 5_000;
/** How many events are moved into a new partition at most, which takes about a second. */
const mostMoved = 20_000;

/**
 * Ensures that last, this and next month have partitions of their own; any node may call it at any time. One that a long transaction holds up, such as that of a
 * backup, or that takes too long, is left to the next call: until then its events are stored in the default partition.
 */
export async function ensureEventPartitions(
  db: Kysely<Tables>,
  now: Date,
  waitMs = lockWaitMs,
): Promise<void> {
  for (const offset of [-1, 0, 1]) {
    const [from, to] = [monthFrom(now, offset), monthFrom(now, offset + 1)];
    const name = `device_events_${from}`;
    if (await exists(db, name)) continue;
    await unlessHeldUp(db, waitMs, async (tx) => {
      if (!(await exists(tx, name)) && (await mayMove(tx, from, to)))
        await createPartition(tx, name, from, to);
    });
  }
}

/** Changes partitions in a transaction; false if it did not get its lock, or end, in time. PostgreSQL has no DETACH CONCURRENTLY for a table with a default partition. */
async function unlessHeldUp(
  db: Kysely<Tables>,
  waitMs: number,
  change: (tx: Database) => Promise<void>,
): Promise<boolean> {
  try {
    await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${partitionsLock})`.execute(tx);
      await sql`set local lock_timeout = ${sql.lit(waitMs)}; set local statement_timeout = ${sql.lit(changeTimeoutMs)}`.execute(
        tx,
      );
      await change(tx);
    });
    return true;
  } catch (error) {
    if (heldUpCodes.has((error as { code?: unknown }).code)) return false;
    throw error;
  }
}

/** Reads the catalogue as a table, since name lookups in a running transaction may miss what another one has just created. */
async function exists(db: Database, name: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'device_events'::regclass and c.relname = ${name}`.execute(db);
  return rows.length > 0;
}

/** Whether the events of a month in the default partition are few enough to be moved at once; otherwise they stay there. */
async function mayMove(tx: Database, from: number, to: number): Promise<boolean> {
  const { rows } = await sql`
    select 1 from device_events_other where event_month >= ${sql.lit(from)} and event_month < ${sql.lit(to)}
    offset ${mostMoved} limit 1`.execute(tx);
  return rows.length === 0;
}

/** Blocks writers meanwhile. Events of the month that were stored before its partition existed are moved from the default partition. */
async function createPartition(tx: Database, name: string, from: number, to: number): Promise<void> {
  const table = sql.table(name);
  await sql`
    lock table device_events in share row exclusive mode;
    create table ${table} (like device_events including defaults including constraints);
    with moved as (
      delete from device_events_other where event_month >= ${sql.lit(from)} and event_month < ${sql.lit(to)} returning *
    )
    insert into ${table} select * from moved;
    alter table device_events attach partition ${table} for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(
    tx,
  );
}

/** The months with partitions of their own, in order. */
export async function partitionedMonths(db: Database): Promise<number[]> {
  const { rows } = await sql<{ month: number }>`
    select right(c.relname, 6)::int as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'device_events'::regclass and c.relname ~ '^device_events_[0-9]{6}$' order by month`.execute(
    db,
  );
  return rows.map(({ month }) => month);
}

/**
 * Drops the partitions of the months that lie more than `retentionMonths` before this one. One that a long transaction holds up is left to the next call. Returns the
 * names of the partitions that it dropped.
 */
export async function dropOldEventPartitions(
  db: Kysely<Tables>,
  now: Date,
  retentionMonths: number,
  waitMs = lockWaitMs,
): Promise<string[]> {
  const oldest = monthFrom(now, -retentionMonths);
  const old = (await partitionedMonths(db)).filter((month) => month < oldest);
  const dropped: string[] = [];
  for (const name of old.map((month) => `device_events_${month}`)) {
    const drop = sql`drop table if exists ${sql.table(name)}`;
    if (await unlessHeldUp(db, waitMs, async (tx) => void (await drop.execute(tx)))) dropped.push(name);
  }
  return dropped;
}
