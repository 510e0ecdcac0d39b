import { sql, type Kysely } from 'kysely';
import type { Tables } from '../src/platform/db/tables.ts';

interface Column {
  readonly type: string;
  readonly isRequired: boolean;
  readonly hasDefault: boolean;
}

/** A schema as the statements of a hub depend on it. */
export interface SchemaSnapshot {
  /** By relation and name, such as `devices.name`. */
  readonly columns: ReadonlyMap<string, Column>;
  /** Tables, views, functions that statements call with their arguments and results, and labels of enumerated types. */
  readonly things: ReadonlySet<string>;
  /** What limits the rows that may be written, with the columns that it is about; by table and definition. */
  readonly limits: ReadonlyMap<string, readonly string[]>;
}

/** What `hub` of the release before depends on, of the schema as it is now. */
export async function readSchema(db: Kysely<Tables>): Promise<SchemaSnapshot> {
  const columns = await sql<Column & { name: string }>`
    select c.relname || '.' || attname as name, format_type(atttypid, atttypmod) as type, attnotnull as "isRequired",
      (atthasdef or attidentity <> '') as "hasDefault"
    from pg_attribute join pg_class c on c.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and not relispartition and attnum > 0 and not attisdropped`.execute(
    db,
  );
  const things = await sql<{ name: string }>`
    select 'relation ' || relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm') and not relispartition
    union all select format('function %s(%s) returns %s', proname, pg_get_function_identity_arguments(oid), pg_get_function_result(oid))
      from pg_proc where pronamespace = 'public'::regnamespace and prorettype <> 'trigger'::regtype
    union all select format('label %s of %s', enumlabel, typname) from pg_enum join pg_type t on t.oid = enumtypid`.execute(
    db,
  );
  const limits = await sql<{ name: string; columns: string[] }>`
    with found as (
      select conrelid as relation, pg_get_constraintdef(oid) as definition, conkey::int2[] as keys from pg_constraint
        where contype in ('c', 'f', 'x') and conparentid = 0
      union all
      select indrelid, regexp_replace(pg_get_indexdef(indexrelid), '^.* USING', 'unique'), indkey::int2[] from pg_index where indisunique
    )
    select c.relname || ': ' || definition as name, array(
        select c.relname || '.' || attname from pg_attribute where attrelid = c.oid and attnum = any(keys)) as columns
    from found join pg_class c on c.oid = relation
    where relnamespace = 'public'::regnamespace and not relispartition`.execute(db);
  return {
    columns: new Map(columns.rows.map(({ name, ...column }) => [name, column])),
    things: new Set(things.rows.map(({ name }) => name)),
    limits: new Map(limits.rows.map(({ name, columns: of }) => [name, of])),
  };
}

/** What a hub that knows only the schema before cannot live with in the schema after, in words; empty if it can run on both. */
export function breakingChanges(before: SchemaSnapshot, after: SchemaSnapshot): string[] {
  const gone = [...before.things].filter((thing) => !after.things.has(thing));
  const changed = [...before.columns].flatMap(([name, column]) =>
    columnProblem(name, column, after.columns.get(name)),
  );
  const required = [...after.columns].filter(
    ([name, { isRequired, hasDefault }]) =>
      !before.columns.has(name) && isOld(before, name) && isRequired && !hasDefault,
  );
  const narrower = [...after.limits].filter(
    ([name, columns]) =>
      !before.limits.has(name) &&
      columns.every((column) => before.columns.has(column)) &&
      before.things.has(`relation ${name.split(':')[0]}`),
  );
  return [
    ...gone.map((thing) => `${thing} is gone`),
    ...changed,
    ...required.map(([name]) => `column ${name} is new and required, without a default`),
    ...narrower.map(([name]) => `there is a new limit on ${name}`),
  ];
}

/** Whether the relation of a column was there before. */
function isOld({ things }: SchemaSnapshot, column: string): boolean {
  return things.has(`relation ${column.split('.')[0]}`);
}

function columnProblem(name: string, before: Column, after: Column | undefined): string[] {
  if (after === undefined) return [`column ${name} is gone`];
  if (after.type !== before.type) return [`column ${name} was ${before.type} and is ${after.type}`];
  if (after.isRequired && !before.isRequired) return [`column ${name} is required now`];
  if (before.hasDefault && !after.hasDefault && after.isRequired) return [`column ${name} lost its default`];
  return [];
}
