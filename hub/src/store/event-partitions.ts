import { sql, type Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { Database } from '../db/connect.ts';

const partitionsLock = 7_201_101;
/** PostgreSQL's code for the end of a `lock_timeout`. */
const lockNotAvailable = '55P03';
/** How long a change of partitions waits for readers and writers of events, who meanwhile wait behind it. */
const lockWaitMs = 250;

/** The month of a time plus a number of months, as partitions are named: year and month, such as 202611. */
function monthFrom(at: Date, months: number): number {
  const month = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months));
  return month.getUTCFullYear() * 100 + month.getUTCMonth() + 1;
}

/**
 * Ensures that last, this and next month have partitions of their own; any node may call it at any time. One that a long transaction holds up, such as that of a
 * backup, is left to the next call: until then its events are stored in the default partition.
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
      if (!(await exists(tx, name))) await createPartition(tx, name, from, to);
    });
  }
}

/** Changes partitions in a transaction; false if it did not get its lock in time. PostgreSQL has no DETACH CONCURRENTLY for a table with a default partition. */
async function unlessHeldUp(
  db: Kysely<Tables>,
  waitMs: number,
  change: (tx: Database) => Promise<void>,
): Promise<boolean> {
  try {
    await db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(${partitionsLock})`.execute(tx);
      await sql`set local lock_timeout = ${sql.lit(waitMs)}`.execute(tx);
      await change(tx);
    });
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === lockNotAvailable) return false;
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

/**
 * Drops the partitions of the months that lie more than `retentionMonths` before this one, and the events outside of any month's
 * partition that are as old by their id or by their receipt. One that a long transaction holds up is left to the next call. Returns the names of the partitions
 * that it dropped.
 */
export async function dropOldEventPartitions(
  db: Kysely<Tables>,
  now: Date,
  retentionMonths: number,
  waitMs = lockWaitMs,
): Promise<string[]> {
  const oldest = monthFrom(now, -retentionMonths);
  const receivedBefore = new Date(Date.UTC(Math.floor(oldest / 100), (oldest % 100) - 1));
  await sql`delete from device_events_other where event_month < ${oldest} or received_at < ${receivedBefore}`.execute(
    db,
  );
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'device_events'::regclass and c.relname ~ '^device_events_[0-9]{6}$' order by name`.execute(
    db,
  );
  const old = rows.map(({ name }) => name).filter((name) => Number(name.slice(-6)) < oldest);
  const dropped: string[] = [];
  for (const name of old) {
    const drop = sql`drop table if exists ${sql.table(name)}`;
    if (await unlessHeldUp(db, waitMs, async (tx) => void (await drop.execute(tx)))) dropped.push(name);
  }
  return dropped;
}
