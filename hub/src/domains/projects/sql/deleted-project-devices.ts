import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** Deleted projects that one step looks at. */
const projectsAtOnce = 100;
/** Devices that one step deletes with all that belongs to them but events, which takes about a tenth of a second. */
const devicesAtOnce = 250;
/** Properties, versions of removed ones, listed names of properties, and results of changes, that one step deletes; a device and a project go with their last ones. */
const propertiesAtOnce = 5_000;

/** What a step has done, and whether there is more to do. */
export interface DeviceDeletionStep {
  readonly deletedDevices: number;
  readonly isComplete: boolean;
}

/**
 * Does one step of deleting what deleted projects and devices left: some devices, or some of their properties, some of the listed names of properties and of the results of changes, and
 * then the rows of projects that have none of them. Concurrent steps take other devices and names.
 */
export async function deleteSomeDevicesOfDeletedProjects(tx: Database): Promise<DeviceDeletionStep> {
  const { devices, deleted, names, results, projects } = await deleteSome(tx);
  if (deleted.length > 0) await deleteWhatRefersTo(tx, deleted);
  return { deletedDevices: deleted.length, isComplete: devices + names + results + projects === 0 };
}

/** What a step has found; devices that were deleted by their ids. */
interface Found {
  readonly devices: number;
  readonly deleted: readonly string[];
  readonly names: number;
  readonly results: number;
  readonly projects: number;
}

/** SQL of the results of changes of deleted projects, `gone`, that one step deletes. */
const someResults = sql`
    results as materialized (
      select r.change_id, r.device_id from gone join fleet_changes c using (project_id) cross join lateral (
        select change_id, device_id from fleet_change_devices where change_id = c.change_id
        order by device_id limit ${propertiesAtOnce} for update skip locked
      ) as r limit ${propertiesAtOnce}
    ), deleted_results as (
      delete from fleet_change_devices r using results d where r.change_id = d.change_id and r.device_id = d.device_id
    )`;

async function deleteSome(tx: Database): Promise<Found> {
  const { rows } = await sql<Found>`
    with gone as materialized (
      select a.project_id from all_projects a where not exists (select 1 from projects p where p.project_id = a.project_id)
      order by a.project_id limit ${projectsAtOnce}
    ), next as materialized (
      select d.device_id from gone cross join lateral (
        select device_id from all_devices where project_id = gone.project_id
        order by project_id, created_at, device_id limit ${devicesAtOnce} for update skip locked
      ) as d limit ${devicesAtOnce}
    ), properties as materialized (
      select p.device_id, p.name from next cross join lateral (
        select device_id, name from device_properties where device_id = next.device_id order by name limit ${propertiesAtOnce}
      ) as p limit ${propertiesAtOnce}
    ), removed as materialized (
      select p.device_id, p.name from next cross join lateral (
        select device_id, name from removed_device_properties where device_id = next.device_id order by name limit ${propertiesAtOnce}
      ) as p limit ${propertiesAtOnce}
    ), names as materialized (
      select k.project_id, k.name from gone cross join lateral (
        select project_id, name from project_property_names where project_id = gone.project_id
        order by name limit ${propertiesAtOnce} for update skip locked
      ) as k limit ${propertiesAtOnce}
    ), ${someResults}, deleted_names as (
      delete from project_property_names k using names n where k.project_id = n.project_id and k.name = n.name
    ), deleted_properties as (
      delete from device_properties p using properties d where p.device_id = d.device_id and p.name = d.name
    ), deleted_removed as (
      delete from removed_device_properties p using removed d where p.device_id = d.device_id and p.name = d.name
    ), deleted as (
      delete from all_devices where device_id = any(array(select device_id from next))
        and (select count(*) from properties) < ${propertiesAtOnce} and (select count(*) from removed) < ${propertiesAtOnce}
      returning device_id
    ), forgotten as (
      delete from all_projects a where a.project_id in (select project_id from gone)
        and not exists (select 1 from all_devices d where d.project_id = a.project_id)
        and (select count(*) from names) < ${propertiesAtOnce} and (select count(*) from results) < ${propertiesAtOnce} returning project_id
    ), counts as (
      delete from project_counts where project_id in (select project_id from forgotten)
    ), changes as (
      delete from project_count_changes where project_id in (select project_id from forgotten)
    )
    select (select count(*) from next) as devices, array(select device_id from deleted) as deleted,
      (select count(*) from names) as names, (select count(*) from results) as results, (select count(*) from forgotten) as projects`.execute(
    tx,
  );
  return rows[0] ?? { devices: 0, deleted: [], names: 0, results: 0, projects: 0 };
}

/** Deletes what has no key to a device, and notes the devices whose events are still there. A statement of its own, which sees what was written until the devices were locked. */
async function deleteWhatRefersTo(tx: Database, deviceIds: readonly string[]): Promise<void> {
  const ids = [...deviceIds];
  await sql`
    with texts as (
      delete from device_texts where device_id = any(${ids})
    ), facts as (
      delete from device_facts where device_id = any(${ids})
    ) insert into deleted_devices (device_id) select unnest(${ids}::text[]) on conflict do nothing`.execute(
    tx,
  );
}
