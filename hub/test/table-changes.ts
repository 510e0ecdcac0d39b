import { sql } from 'kysely';
import type { Database } from '../src/db/connect.ts';

/** Tables that record calls. A refused command adds rows to them too. */
const recordTables = ['audit_actions', 'audit_events', 'audit_event_entities', 'event_outbox'];

async function tableNames(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p') and not relispartition order by relname`.execute(db);
  return rows.map(({ name }) => name);
}

function rowsOf(name: string) {
  return sql`select ${name}::text as name, row_to_json(t)::text as row from ${sql.id(name)} t`;
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

/**
 * Returns a function that says whether a transaction changed any row outside the tables that record calls. It compares with the state of
 * now, so every transaction has to start from this state. Rows are compared only where PostgreSQL counted writes: a digest takes 10 ms.
 */
export async function changeDetector(db: Database): Promise<(tx: Database) => Promise<boolean>> {
  const readDigest = await digestReader(db);
  const before = await readDigest(db);
  const writes = sql<{ written: boolean }>`
    select exists (select from pg_stat_xact_user_tables where n_tup_ins + n_tup_upd + n_tup_del > 0
      and relname <> all(${recordTables})) as written`;
  return async (tx) => {
    const isWritten = (await writes.execute(tx)).rows[0]?.written ?? true;
    return isWritten && (await readDigest(tx)) !== before;
  };
}

/** Every row of every table as text, byte columns as hex and, where they are text, as text too. */
export async function dumpTables(db: Database): Promise<string> {
  const all = sql.join((await tableNames(db)).map(rowsOf), sql` union all `);
  const { rows } = await sql<{ name: string; row: string }>`${all}`.execute(db);
  return rows.map(({ name, row }) => `${name} ${row}`).join('\n');
}
