import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedDevice, seedProject } from '../../../../test/seed.ts';
import { deleteSomeEventsOfDeletedDevices } from '../sql/deleted-device-events.ts';
import { deleteSomeDevicesOfDeletedProjects } from '../../projects/sql/deleted-project-devices.ts';
import { deleteEventsOfDeletedDevices } from './delete-events-of-deleted-devices.ts';
import { deleteDevicesOfDeletedProjects } from './delete-devices-of-deleted-projects.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

async function addEvents(deviceId: Id<'device'>, count: number): Promise<void> {
  await sql`
    insert into device_events (device_id, event_month, event_id, severity, body, attributes, emitted_at, received_at)
    select ${ids.device.raw(deviceId)}, 202611, '20261120-1159-' || lpad(n::text, 8, 'A'), 'Info', '1', '{}', now(), now()
    from generate_series(1, ${count}) as n`.execute(hub.database.db);
}

async function leftOf(...deviceIds: Id<'device'>[]): Promise<number[]> {
  const { rows } = await sql<{ left: number }>`
    select (select count(*) from device_events e where e.device_id = d.id) as left
    from unnest(${deviceIds.map((id) => ids.device.raw(id))}::text[]) with ordinality as d(id, place) order by place`.execute(
    hub.database.db,
  );
  return rows.map(({ left }) => left);
}

test('a deletion answers without the events, nobody sees them any more, and they go step by step', async () => {
  const project = await seedProject(hub);
  const [gone, kept] = [await seedDevice(hub, project), await seedDevice(hub, project)];
  await addEvents(gone.deviceId, 25_000);
  await addEvents(kept.deviceId, 3);
  await hub.as(project.owner, 'devices_DeleteDevice', { deviceId: gone.deviceId });
  expect(await leftOf(gone.deviceId, kept.deviceId)).toEqual([25_000, 3]);
  const { deviceId } = gone;
  for (const actor of [project.owner, gone.actor])
    expect((await hub.refusal(actor, 'devices_QueryDeviceEvents', { deviceId })).message).toBe(
      'Device not found.',
    );
  const { db } = hub.database;
  expect(await deleteSomeDevicesOfDeletedProjects(db)).toEqual({ deletedDevices: 1, isComplete: false });
  expect(await deleteSomeEventsOfDeletedDevices(db)).toEqual({ deletedEvents: 10_000, isComplete: false });
  await deleteEventsOfDeletedDevices(hub.executor);
  expect(await leftOf(gone.deviceId, kept.deviceId)).toEqual([0, 3]);
  expect(await deleteSomeEventsOfDeletedDevices(db)).toEqual({ deletedEvents: 0, isComplete: true });
});

test('a device with very many properties goes step by step, is not counted meanwhile, and may enrol again', async () => {
  const project = await seedProject(hub);
  const { db } = hub.database;
  const { deviceId } = await seedDevice(hub, project);
  const rawId = ids.device.raw(deviceId);
  await sql`insert into device_properties (device_id, name, value, is_protected, updated_at)
    select ${rawId}, 'p' || n, '1', false, now() from generate_series(1, 6000) as n`.execute(db);
  await sql`insert into removed_device_properties (device_id, name, version, removed_at)
    select ${rawId}, 'r' || n, 7, now() from generate_series(1, 11000) as n`.execute(db);
  await sql`insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at)
    values (${rawId}, ${rawId}, 'another', 'Pending', now())`.execute(db);
  await sql`insert into device_connections (connection_id, device_id, node_id, connected_at)
    values (${rawId}, ${rawId}, 'node', now())`.execute(db);
  const counts = async () => {
    const { rows } = await sql<{ devices: number; pending: number; open: number }>`
      select sum(devices)::int as devices, sum(pending_certificates)::int as pending, sum(open_connections)::int as open
      from (select * from project_counts union all select * from project_count_changes) as c
      where project_id = ${ids.project.raw(project.projectId)}`.execute(db);
    return rows[0];
  };
  const before = await counts();
  expect(before).toMatchObject({ devices: 1, open: 1 });
  await hub.as(project.owner, 'devices_DeleteDevice', { deviceId });
  const none = { devices: 0, pending: 0, open: 0 };
  expect(await counts()).toEqual(none);
  expect((await hub.refusal(project.owner, 'devices_DeleteDevice', { deviceId })).message).toBe(
    'Device not found.',
  );
  // What still ends or comes for the hidden device counts for no project.
  await sql`update device_connections set ended_at = now(), end_reason = 'Disconnected' where device_id = ${rawId}`.execute(
    db,
  );
  const { rows: fingerprints } = await sql`
    insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at)
      select 'again', ${ids.project.raw(project.projectId)}, fingerprint_id, '', now() from all_devices where device_id = ${rawId}
      returning device_id`.execute(db);
  expect(fingerprints).toHaveLength(1);
  const left = async () => {
    const { rows } = await sql<{ properties: number; removed: number; devices: number; projects: number }>`
      select (select count(*) from device_properties where device_id = ${rawId})::int as properties,
        (select count(*) from removed_device_properties where device_id = ${rawId})::int as removed,
        (select count(*) from all_devices where device_id = ${rawId})::int as devices,
        (select count(*) from all_projects where project_id = ${rawId})::int as projects`.execute(db);
    return rows[0];
  };
  const step = () => deleteSomeDevicesOfDeletedProjects(db);
  expect(await step()).toEqual({ deletedDevices: 0, isComplete: false });
  expect(await left()).toMatchObject({ removed: 6_000, devices: 1 });
  await deleteDevicesOfDeletedProjects(hub.executor);
  expect(await left()).toEqual({ properties: 0, removed: 0, devices: 0, projects: 0 });
  expect(await counts()).toEqual({ ...none, devices: 1 });
  const { rows: strays } = await sql`
    select 1 from project_count_changes where project_id = ${rawId} union all select 1 from project_counts where project_id = ${rawId}`.execute(
    db,
  );
  expect(strays).toEqual([]);
});
