import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

/** What slows the loading of rows down, or would change what is loaded, while it is away. */
export interface BareSchema {
  /** Brings it back. */
  complete(): Promise<void>;
}

/**
 * Takes away what only makes sense for a change of data: triggers, which would count or note what is noted already; references, since tables are loaded in any order; and indexes, which are made
 * faster from all rows at once. Keys stay.
 */
export async function bareSchema(tx: Database): Promise<BareSchema> {
  const references = await statementsOf(tx, referencesOfSchema);
  const indexes = await statementsOf(tx, indexesOfSchema);
  const triggers = await statementsOf(tx, tablesWithTriggers);
  await runAll(
    tx,
    [...references, ...indexes, ...triggers].map(({ away }) => away),
  );
  return {
    complete: () =>
      runAll(
        tx,
        [...indexes, ...references, ...triggers].map(({ back }) => back),
      ),
  };
}

interface Statements {
  readonly away: string;
  readonly back: string;
}

async function statementsOf(tx: Database, query: ReturnType<typeof sql<Statements>>): Promise<Statements[]> {
  return (await query.execute(tx)).rows;
}

async function runAll(tx: Database, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx);
}

const referencesOfSchema = sql<Statements>`
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as away,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as back
  from pg_constraint where connamespace = current_schema()::regnamespace and contype = 'f' and conparentid = 0
  order by 1`;

/**
 * Without those of keys, and those of partitions, which come and go with that of their parent: PostgreSQL describes the parent's as one of it alone.
 */
const indexesOfSchema = sql<Statements>`
  select format('drop index %s', indexrelid::regclass) as away, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as back
  from pg_index i join pg_class c on c.oid = i.indrelid
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
    and not exists (select from pg_inherits h where h.inhrelid = i.indexrelid)
  order by 1`;

const tablesWithTriggers = sql<Statements>`
  select format('alter table %s disable trigger user', oid::regclass) as away,
    format('alter table %s enable trigger user', oid::regclass) as back
  from pg_class c where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
    and exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal)
  order by 1`;
