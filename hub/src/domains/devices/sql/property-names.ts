import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { amounts } from '../../../limits/amounts.ts';

/** The names of properties that are listed for a project. */
export interface ListedNames {
  readonly names: readonly string[];
  /** Whether the list is or was full, so that devices may have properties with other names. */
  readonly isIncomplete: boolean;
}

/** Reads the names of properties that devices of a project have or had, by its raw id, as far as they are listed. */
export async function readListedNames(tx: Database, projectId: string): Promise<ListedNames> {
  const { rows } = await sql<{ name: string | null; wasFull: boolean }>`
    select k.name, a.property_names_full_at is not null as "wasFull" from all_projects a left join lateral (
      select name from project_property_names where project_id = a.project_id order by name limit ${amounts.propertyNames.max}
    ) as k on true where a.project_id = ${projectId}`.execute(tx);
  return {
    names: rows.flatMap(({ name }) => name ?? []),
    isIncomplete: rows.length === amounts.propertyNames.max || rows.some(({ wasFull }) => wasFull),
  };
}

/** The project of the device of the row `p`, looked up for each: a join may read all devices for each name. */
const projectOf: RawBuilder<string> = sql`(select d.project_id from all_devices d where d.device_id = p.device_id)`;

/** Returns which of these names some device of a project has a property of, whether or not they are listed. */
export async function findUsedNames(
  tx: Database,
  projectId: string,
  names: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select k.name from unnest(${[...names]}::text[]) as k(name) where exists (
      select 1 from device_properties p where p.name = k.name and ${projectOf} = ${projectId})`.execute(tx);
  return rows.map(({ name }) => name);
}

/** A name on the list of a project, by its raw id. */
export interface ListedName {
  readonly projectId: string;
  readonly name: string;
}

/** What a step has deleted, and the last name that it looked at; undefined once there are no more. */
export interface NameDeletionStep {
  readonly deletedNames: number;
  readonly last: ListedName | undefined;
}

/** Names that one step looks at. */
const namesAtOnce = 500;
/** How many devices with a property of a name, and devices of its project, are looked at before the name stays listed. */
const devicesLookedAt = 200;
/** The locks of names, as the trigger note_property_names takes them. */
const nameLocks = 7_201_149;

/**
 * SQL for whether no device of the project has a property of the name of the row `k`. Where many devices of other projects have one and the project has many devices itself,
 * the answer is no: a name may stay listed for longer than needed.
 */
const isUnused: RawBuilder<boolean> = sql`(
  not exists (
    select 1 from (select device_id from device_properties where name = k.name limit ${sql.lit(devicesLookedAt)}) as p
    where ${projectOf} = k.project_id)
  and (
    not exists (select 1 from device_properties where name = k.name offset ${sql.lit(devicesLookedAt)})
    or (
      not exists (select 1 from all_devices where project_id = k.project_id offset ${sql.lit(devicesLookedAt)})
      and not exists (
        select 1 from (select device_id from all_devices where project_id = k.project_id limit ${sql.lit(devicesLookedAt)}) as d
        where exists (select 1 from device_properties p where p.device_id = d.device_id and p.name = k.name))
    )
  ))`;

/** Does one step of deleting the names that no device has any more: looks at the names that follow. Safe beside transactions that add properties, and other steps. */
export async function deleteSomeUnusedNames(
  tx: Database,
  after: ListedName | undefined,
): Promise<NameDeletionStep> {
  const { rows } = await sql<ListedName & { isUnused: boolean }>`
    select project_id as "projectId", name, ${isUnused} as "isUnused" from (
      select project_id, name from project_property_names
      where (project_id, name) > (${after?.projectId ?? ''}, ${after?.name ?? ''})
      order by project_id, name limit ${namesAtOnce}
    ) as k order by project_id, name`.execute(tx);
  const unused = rows.filter((row) => row.isUnused);
  return {
    deletedNames: unused.length === 0 ? 0 : await deleteUnused(tx, unused),
    last: rows.length < namesAtOnce ? undefined : rows.at(-1),
  };
}

/**
 * Deletes those of the names that are still unused. A transaction that adds a property of a listed name, and has not ended, shares the lock of the name: the name stays, without waiting.
 * One that begins later waits for the lock, and lists the name again.
 */
async function deleteUnused(tx: Database, names: readonly ListedName[]): Promise<number> {
  const { rows } = await sql<{ bucket: number }>`
    select bucket from (
      select distinct property_name_bucket(name) as bucket from unnest(${names.map(({ name }) => name)}::text[]) as k(name) order by 1
    ) as buckets where pg_try_advisory_xact_lock(${sql.lit(nameLocks)}, bucket)`.execute(tx);
  // A statement of its own, which sees what had the locks before.
  const { numAffectedRows } = await sql`
    delete from project_property_names k using unnest(
      ${names.map(({ projectId }) => projectId)}::text[], ${names.map(({ name }) => name)}::text[]
    ) as u(project_id, name)
    where k.project_id = u.project_id and k.name = u.name
      and property_name_bucket(k.name) = any(${rows.map(({ bucket }) => bucket)}) and ${isUnused}`.execute(
    tx,
  );
  return Number(numAffectedRows ?? 0n);
}
