import { sql } from 'kysely';
import type { Database } from '../../platform/db/connect.ts';

/** Keys, indexes and triggers that are dropped or disabled while rows are loaded. */
export interface DroppedObjects {
  /** Creates and enables them again. */
  recreate(): Promise<void>;
}

/**
 * Prepares the schema for loading rows: disables triggers, which would count rows that are counted already; drops foreign keys, since tables
 * are loaded in any order, and indexes with the keys that they are of, which are built faster from all rows at once.
 */
export async function dropForLoad(tx: Database): Promise<DroppedObjects> {
  const references = await statementsOf(tx, referencesOfSchema);
  const keys = await statementsOf(tx, keysOfSchema);
  const indexes = await statementsOf(tx, indexesOfSchema);
  const triggers = await statementsOf(tx, tablesWithTriggers);
  await runAll(
    tx,
    [...references, ...keys, ...indexes, ...triggers].map(({ drop }) => drop),
  );
  return {
    recreate: () =>
      runAll(
        tx,
        [...keys, ...indexes, ...references, ...triggers].map(({ create }) => create),
      ),
  };
}

interface Statements {
  readonly drop: string;
  readonly create: string;
}

async function statementsOf(tx: Database, query: ReturnType<typeof sql<Statements>>): Promise<Statements[]> {
  return (await query.execute(tx)).rows;
}

async function runAll(tx: Database, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(tx);
}

/** The constraints of some types, each of which is a letter; those of partitions follow the constraint of their parent. */
const constraints = (types: readonly string[]) => sql<Statements>`
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
  from pg_constraint where connamespace = current_schema()::regnamespace and contype = any(${types}) and conparentid = 0
  order by 1`;

const referencesOfSchema = constraints(['f']);
/** Primary keys, unique keys and exclusions. */
const keysOfSchema = constraints(['p', 'u', 'x']);

/**
 * Without the indexes of keys, in the order in which they were made: of two that serve alike PostgreSQL takes the older one. Those of partitions follow the index of their parent, which `pg_get_indexdef` describes as ON ONLY the parent.
 */
const indexesOfSchema = sql<Statements>`
  select format('drop index %s', indexrelid::regclass) as drop, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as create
  from pg_index i join pg_class c on c.oid = i.indrelid
  where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
    and not exists (select from pg_inherits h where h.inhrelid = i.indexrelid)
  order by i.indexrelid`;

const tablesWithTriggers = sql<Statements>`
  select format('alter table %s disable trigger user', oid::regclass) as drop,
    format('alter table %s enable trigger user', oid::regclass) as create
  from pg_class c where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
    and exists (select from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal)
  order by 1`;
