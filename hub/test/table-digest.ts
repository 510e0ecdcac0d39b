import { sql } from 'kysely';
import type { Database } from '../src/db/connect.ts';

/** The tables that hold what was said of deeds, which even a refused command adds to. */
const accounts = ['audit_actions', 'audit_events', 'audit_event_entities', 'event_outbox'];

async function tableNames(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
      and relkind in ('r', 'p') and not relispartition order by relname`.execute(db);
  return rows.map(({ name }) => name);
}

function rowsOf(name: string) {
  return sql`select ${name}::text as name, row_to_json(t)::text as row from ${sql.id(name)} t`;
}

/** A reader of one short text for all that the hub keeps besides its logs of deeds: two that are equal mean that nothing changed. */
export async function digestReader(db: Database): Promise<(db: Database) => Promise<string>> {
  const kept = (await tableNames(db)).filter((name) => !accounts.includes(name));
  const all = sql.join(kept.map(rowsOf), sql` union all `);
  const digest = sql<{
    digest: string;
  }>`select md5(string_agg(name || row, ',' order by name, row)) as digest from (${all}) t`;
  return async (at) => (await digest.execute(at)).rows[0]?.digest ?? '';
}

/** Every row of every table as text, byte columns as hex and, where they are text, as text too. */
export async function dumpTables(db: Database): Promise<string> {
  const all = sql.join((await tableNames(db)).map(rowsOf), sql` union all `);
  const { rows } = await sql<{ name: string; row: string }>`${all}`.execute(db);
  return rows.map(({ name, row }) => `${name} ${row}`).join('\n');
}
