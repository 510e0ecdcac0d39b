import { sql } from 'kysely';
import type { Database } from '../../platform/db/connect.ts';
import { compatibilityTableName, migrationTableName } from '../../platform/db/schema-state.ts';
import type { TableFile } from './manifest.ts';

/** A table whose rows are in a backup. */
export interface StoredTable extends Pick<TableFile, 'table' | 'columns' | 'partition'> {
  /** How many bytes it takes in the database, without indexes. */
  readonly sizeBytes: number;
}

interface TableRow {
  readonly table: string;
  readonly columns: string[];
  readonly sizeBytes: number;
  readonly parent: string | null;
  readonly bound: string | null;
}

/** The tables with rows in the schema of the hub, the largest first: all but those of the migrations, and those of extensions. */
export async function storedTables(db: Database): Promise<StoredTable[]> {
  const { rows } = await sql<TableRow>`
    select c.relname as table, pg_table_size(c.oid) as "sizeBytes", p.relname as parent, pg_get_expr(c.relpartbound, c.oid) as bound,
      array(select attname::text from pg_attribute a
        where a.attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum) as columns
    from pg_class c left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and c.relname not in (${migrationTableName}, ${`${migrationTableName}_lock`}, ${compatibilityTableName})
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 2 desc, 1`.execute(db);
  return rows.map(({ table, columns, sizeBytes, parent, bound }) => {
    const partition = partitionOf(parent, bound);
    return { table, columns, sizeBytes, ...(partition === undefined ? {} : { partition }) };
  });
}

/** Undefined for a table that is no partition, and for the default partition, which a migration creates. */
function partitionOf(parent: string | null, bound: string | null): TableFile['partition'] {
  const range = /^FOR VALUES FROM \('?(\d+)'?\) TO \('?(\d+)'?\)$/.exec(bound ?? '');
  if (parent === null || range === null) return undefined;
  return { of: parent, from: Number(range[1]), to: Number(range[2]) };
}

/** The sequences of the schema, with their state as texts. */
export async function storedSequences(
  db: Database,
): Promise<{ name: string; lastValue: string; isCalled: boolean }[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'S' order by 1`.execute(
    db,
  );
  const sequences = [];
  for (const { name } of rows) {
    const state = await sql<{ lastValue: string; isCalled: boolean }>`
      select last_value::text as "lastValue", is_called as "isCalled" from ${sql.table(name)}`.execute(db);
    sequences.push({ name, ...(state.rows[0] ?? { lastValue: '1', isCalled: false }) });
  }
  return sequences;
}

/** The name of any table in the schema or in the schema of the job queue; undefined if both are empty. */
export async function anyTable(db: Database, jobsSchema: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in (current_schema(), ${jobsSchema}) and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
    order by 1 limit 1`.execute(db);
  return rows[0]?.name;
}
