import { sql } from 'kysely';
import type { Database } from '../src/platform/db/connect.ts';

/** Tables that record calls and what the hub saw. A refused command or connection adds rows to them too, and each minute one to the last. */
const recordTables = [
  'audit_actions',
  'audit_events',
  'audit_event_entities',
  'event_outbox',
  'refused_arrivals',
  'device_silences',
  'history',
];

async function tableNames(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p') and not relispartition order by relname`.execute(db);
  return rows.map(({ name }) => name);
}

/** Without the counts of rows that calls add to the audit log: those of refused commands count too. */
function rowsOf(name: string) {
  const isNoRecord = name === 'request_counts' ? sql`subject not like 'rows %'` : sql`true`;
  return sql`select ${name}::text as name, row_to_json(t)::text as row from ${sql.id(name)} t where ${isNoRecord}`;
}

/** Returns a function that reads a digest of all tables but those that record calls: equal digests mean equal rows. */
export async function digestReader(db: Database): Promise<(db: Database) => Promise<string>> {
  const kept = (await tableNames(db)).filter((name) => !recordTables.includes(name));
  const all = sql.join(kept.map(rowsOf), sql` union all `);
  const digest = sql<{
    digest: string;
  }>`select md5(string_agg(name || row, ',' order by name, row)) as digest from (${all}) t`;
  return async (at) => (await digest.execute(at)).rows[0]?.digest ?? '';
}

const digestOf = async (db: Database, name: string): Promise<string> => {
  const { rows } = await sql<{ digest: string | null }>`
    select md5(string_agg(row, ',' order by row)) as digest from (${rowsOf(name)}) t`.execute(db);
  return rows[0]?.digest ?? '';
};

/** The tables to which the connection wrote, by PostgreSQL's counts of the last second and of this transaction; a partition counts as its table. */
const writtenTables = sql<{ name: string }>`
  with written as materialized (
    select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and
      pg_stat_get_xact_tuples_inserted(oid) + pg_stat_get_xact_tuples_updated(oid) + pg_stat_get_xact_tuples_deleted(oid) > 0)
  select distinct relname as name from pg_class
  where oid in (select coalesce(pg_partition_root(oid), oid) from written)`;

/**
 * Returns a function that says whether a transaction changed any row, by default outside the tables that record calls. It compares with the
 * state of now, so every transaction has to start from this state. Only the rows of tables that were written to are compared.
 */
export async function changeDetector(
  db: Database,
  ignored: readonly string[] = recordTables,
): Promise<(tx: Database) => Promise<boolean>> {
  const before = new Map<string, string>();
  for (const name of await tableNames(db)) before.set(name, await digestOf(db, name));
  return async (tx) => {
    for (const { name } of (await writtenTables.execute(tx)).rows)
      if (!ignored.includes(name) && (await digestOf(tx, name)) !== before.get(name)) return true;
    return false;
  };
}

/** Every row of every table as text, byte columns as hex and, where they are text, as text too. */
export async function dumpTables(db: Database): Promise<string> {
  const all = sql.join((await tableNames(db)).map(rowsOf), sql` union all `);
  const { rows } = await sql<{ name: string; row: string }>`${all} order by name, row`.execute(db);
  return rows.map(({ name, row }) => `${name} ${row}`).join('\n');
}
