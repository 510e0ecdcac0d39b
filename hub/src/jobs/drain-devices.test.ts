import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../test/fresh-executor.ts';
import { seedDevice, seedProject } from '../../test/seed.ts';
import { drainDeletedDevices } from '../store/deleted-devices.ts';
import { drainDevices } from './drain-devices.ts';

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
  expect(await drainDeletedDevices(db)).toEqual({ deletedEvents: 10_000, isComplete: false });
  await drainDevices(hub.executor);
  expect(await leftOf(gone.deviceId, kept.deviceId)).toEqual([0, 3]);
  expect(await drainDeletedDevices(db)).toEqual({ deletedEvents: 0, isComplete: true });
});
