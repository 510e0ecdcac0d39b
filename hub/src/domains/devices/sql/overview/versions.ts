import { deviceFields, findField, possibleProperties, type Output } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { planEachTime, type Database } from '../../../../platform/db/connect.ts';
import { documentOf } from '../filters/device-conditions.ts';
import { pathOf } from '../filters/json-sql.ts';
import { installedProperty } from '../known-properties.ts';
import { findIndexedPaths, minDevices } from '../indexed-paths.ts';

type Versions = Output<'projects_GetOverview'>['versions'];

/** Fields that the filters of every project have. */
const usualFields = ['agent', 'system.version'];
/** What an install reports as done. */
const installed = { property: installedProperty, field: `${installedProperty}.version` };
/** Properties that are called versions, of which most projects have a few. */
const maxProperties = 4;
const maxValues = 20;
/** The longest text that the property index tells whole. */
const maxText = 200;

interface VersionsOf {
  /** The raw id of the project. */
  readonly projectId: string;
  /** The database outside of a transaction, for what is noted. */
  readonly db: Database;
  readonly now: Date;
}

/** Counts the devices of a project by what they report in fields that are versions; fields that no device has are left out. */
export async function readVersions(tx: Database, { projectId, db, now }: VersionsOf): Promise<Versions> {
  const { named, properties } = await versionFields(tx, projectId);
  const fields = named.map((field) => {
    const { names, keys } = documentOf(findField(field, 0, { ...deviceFields, properties }));
    return { field, paths: names.map((property) => ({ property, path: pathOf(keys) })) };
  });
  const paths = fields.flatMap((field) => field.paths);
  const indexed = await findIndexedPaths({ tx, db }, projectId, paths, now);
  const isSmall = !(await hasManyDevices(tx, projectId));
  const versions: Versions = [];
  for (const field of fields) {
    const keyIds = field.paths.flatMap((path) => indexed.keyOf(path) ?? []);
    const isIndexed = keyIds.length === field.paths.length;
    if (!isIndexed && !isSmall) continue;
    const values = isIndexed
      ? indexedValues(await keysInUse(tx, keyIds))
      : reportedValues(projectId, field.paths);
    const counted = await countValues(tx, values);
    if (counted !== undefined) versions.push({ field: field.field, ...counted });
  }
  return versions;
}

/** The fields that are versions: those that an owner has named, or else those that every project has and properties that are called so. With the properties in which they are. */
async function versionFields(
  tx: Database,
  projectId: string,
): Promise<{ readonly named: readonly string[]; readonly properties: ReadonlySet<string> }> {
  const { rows: projects } = await sql<{ chosen: string[] | null }>`
    select version_fields as chosen from projects where project_id = ${projectId}`.execute(tx);
  const chosen = projects[0]?.chosen ?? undefined;
  const isWanted =
    chosen === undefined
      ? sql`(name ~* 'version$' or name = ${installed.property})`
      : sql`name = any(${chosen.flatMap(possibleProperties)}::text[])`;
  const { rows } = await sql<{ name: string }>`
    select name from project_property_names where project_id = ${projectId} and ${isWanted} order by name = ${installed.property} desc, name
    ${chosen === undefined ? sql`limit ${maxProperties}` : sql``}`.execute(tx);
  const known = rows.map(({ name }) => name);
  const fieldOf = (name: string) => (name === installed.property ? installed.field : name);
  if (chosen === undefined)
    return { named: [...known.map(fieldOf), ...usualFields], properties: new Set(known) };
  // What no device has reported yet is a property of this name.
  const absent = chosen.filter((field) => !possibleProperties(field).some((name) => known.includes(name)));
  return { named: chosen, properties: new Set([...known, ...absent]) };
}

async function hasManyDevices(tx: Database, projectId: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from devices where project_id = ${projectId} offset ${minDevices} limit 1`.execute(tx);
  return rows.length > 0;
}

/** Those keys that some device has a value of. */
async function keysInUse(tx: Database, keyIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ keyId: number }>`
    select key_id as "keyId" from unnest(${[...keyIds]}::integer[]) as k(key_id) where exists (
      select 1 from device_facts f where f.key_id = k.key_id)`.execute(tx);
  return rows.map(({ keyId }) => keyId);
}

const value = sql`coalesce(f.value_text, trim_scale(f.value_num)::text, f.value_flag::text)`;

/** SQL of the values of each device, as `value` and `devices`, in documents. */
function reportedValues(
  projectId: string,
  paths: readonly { readonly property: string; readonly path: string }[],
): RawBuilder<unknown> {
  const ofPaths = paths.map(
    ({ property, path }) => sql`
      select p.device_id, ${value} as value from devices d join device_properties p using (device_id)
      cross join lateral facts_of(p.value, ${path}) as f where d.project_id = ${projectId} and p.name = ${property}`,
  );
  return sql`
    select value, count(distinct device_id) as devices from (${sql.join(ofPaths, sql` union all `)}) as reported group by value`;
}

/** The columns of the index for each type of value, as text. */
const indexedTypes = [
  { column: sql`value_text`, text: sql`value_text` },
  { column: sql`value_num`, text: sql`trim_scale(value_num)::text` },
  { column: sql`value_flag`, text: sql`value_flag::text` },
];

/** The same by the index, each type by its own part of it. It has deleted devices until a job has deleted their data. */
function indexedValues(keyIds: readonly number[]): RawBuilder<unknown> {
  const keys = sql`${[...keyIds]}::integer[]`;
  // Devices have a value once, unless they have it in two properties.
  const counted = keyIds.length === 1 ? sql`count(*)` : sql`count(distinct device_id)`;
  const parts = indexedTypes.flatMap(({ column, text }) => [
    sql`select ${text} as value, ${counted} as devices from device_facts where key_id = any(${keys}) and ${column} is not null group by ${column}`,
    sql`select ${text} as value, -${counted} as devices from (
        select d.device_id from all_projects a join all_devices d on d.project_id = a.project_id and d.device_id = a.project_id
        where not exists (select 1 from projects p where p.project_id = a.project_id)
      ) as deleted join device_facts using (device_id) where key_id = any(${keys}) and ${column} is not null group by ${column}`,
  ]);
  return sql`select value, sum(devices) as devices from (${sql.join(parts, sql` union all `)}) as counts group by value`;
}

/** Cuts values to the most frequent ones; undefined without any. */
async function countValues(
  tx: Database,
  values: RawBuilder<unknown>,
): Promise<Omit<Versions[number], 'field'> | undefined> {
  const { rows } = await sql<{ value: string; devices: number; others: number }>`
    ${sql.raw(planEachTime)}
    with counted as materialized (
      select value, devices::bigint as devices, row_number() over (order by devices desc, value collate "C") as place
      from (${values}) as v where value is not null and length(value) <= ${sql.lit(maxText)} and devices > 0
    )
    select value, devices, (select coalesce(sum(devices), 0)::bigint from counted where place > ${sql.lit(maxValues)}) as others
    from counted where place <= ${sql.lit(maxValues)} order by place`.execute(tx);
  if (rows[0] === undefined) return undefined;
  return { values: rows.map((row) => ({ value: row.value, devices: row.devices })), others: rows[0].others };
}
