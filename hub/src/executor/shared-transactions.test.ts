import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { deviceScene } from '../../test/device-scene.ts';
import { absentId } from '../../test/fresh-executor.ts';
import { seedDevice } from '../../test/seed.ts';
import { createSharedTransactions } from './shared-transactions.ts';

const { hub, project, member, device } = deviceScene();

/** The devices of the project with the transactions that wrote their rows last. */
async function writtenDevices() {
  const { rows } = await sql<{ name: string | null; size: number; xid: string }>`
    select name, length(metadata::text) as size, xmin::text as xid from all_devices
    where project_id = ${ids.project.raw(project.projectId)} order by name`.execute(hub.database.db);
  return rows;
}

test('users and devices that change different devices at the same time share a transaction', async () => {
  const devices = [
    device,
    ...(await Promise.all(Array.from({ length: 19 }, () => seedDevice(hub, project)))),
  ];
  await Promise.all(
    devices.map(({ deviceId }, index) =>
      hub.as(index % 2 === 0 ? member : project.owner, 'devices_SetDeviceName', {
        deviceId,
        name: `Pump ${String(index).padStart(2, '0')}`,
      }),
    ),
  );
  const named = await writtenDevices();
  expect(named.map(({ name }) => name)).toEqual(
    devices.map((_device, index) => `Pump ${String(index).padStart(2, '0')}`),
  );
  expect(new Set(named.map(({ xid }) => xid)).size).toBeLessThanOrEqual(2);
  const events = hub.emittedEvents.filter(({ name }) => name === 'devices_NameChanged');
  expect(new Set(events.map(({ data }) => data['deviceId'])).size).toBe(20);
  await Promise.all(
    devices.map(({ deviceId, actor }) =>
      hub.as(actor, 'devices_SetDeviceMetadata', { deviceId, metadata: { place: 'Hall 1' } }),
    ),
  );
  expect(new Set((await writtenDevices()).map(({ xid }) => xid)).size).toBeLessThanOrEqual(2);
  // A large value would hold up the others.
  const large = { place: 'x'.repeat(10_000) };
  await Promise.all(
    devices.map(({ deviceId, actor }) =>
      hub.as(actor, 'devices_SetDeviceMetadata', { deviceId, metadata: large }),
    ),
  );
  expect(new Set((await writtenDevices()).map(({ xid }) => xid)).size).toBe(20);
});

test('a caller who may not is refused without running the others again', async () => {
  const others = await Promise.all(Array.from({ length: 5 }, () => seedDevice(hub, project)));
  const name = (deviceId: typeof device.deviceId) =>
    hub.as(member, 'devices_SetDeviceName', { deviceId, name: 'Valve' });
  const refused = hub.refusal(member, 'devices_SetDeviceName', {
    deviceId: absentId('device'),
    name: 'Valve',
  });
  const tooLong = hub.refusal(member, 'devices_SetDeviceName', {
    deviceId: device.deviceId,
    name: 'x'.repeat(1_000),
  });
  await Promise.all(others.map(({ deviceId }) => name(deviceId)));
  expect(await refused).toMatchObject({ kind: 'Invalid', message: expect.stringContaining('not found') });
  expect(await tooLong).toMatchObject({ kind: 'Invalid' });
  const valves = (await writtenDevices()).filter((row) => row.name === 'Valve');
  expect(valves).toHaveLength(5);
  expect(new Set(valves.map(({ xid }) => xid)).size).toBe(1);
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*) as count from audit_actions where (data ->> 'name') ~ '^(Valve|x+)'
    group by status order by status`.execute(hub.database.db);
  expect(rows).toEqual([
    { status: 'Failed', count: 2 },
    { status: 'Succeeded', count: 5 },
  ]);
});

test('names of one device that are set at the same time are set one after the other', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `Name ${index}`);
  await Promise.all(
    names.map((name) => hub.as(member, 'devices_SetDeviceName', { deviceId: device.deviceId, name })),
  );
  const shown = await hub.as(member, 'devices_GetDeviceDetails', { deviceId: device.deviceId });
  expect(shown.name).toBe(names.at(-1));
});

test('commands with the same key never run at the same time, and two transactions do', async () => {
  const shared = createSharedTransactions(hub.database.db);
  let running = 0;
  const order: string[] = [];
  const xids = new Map<string, string>();
  const step = (key: string, label: string, until: Promise<void> = Promise.resolve()) =>
    shared.run(
      { name: 'devices_SetDeviceName', key },
      async (tx) => {
        running += 1;
        const { rows } = await sql<{ xid: string }>`select pg_current_xact_id()::text as xid`.execute(tx);
        xids.set(label, rows[0]!.xid);
        await until;
        order.push(label);
        running -= 1;
      },
      () => Promise.reject(new Error('It does not run alone.')),
    );
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = [step('a', 'a1', promise), step('a', 'a2')];
  await expect.poll(() => running).toBe(1);
  await step('b', 'b1');
  expect(order).toEqual(['b1']);
  resolve();
  await Promise.all(first);
  expect(order).toEqual(['b1', 'a1', 'a2']);
  expect(new Set(xids.values()).size).toBe(3);
});

test('a command that fails among others makes them run again once; from then on it runs alone', async () => {
  const shared = createSharedTransactions(hub.database.db);
  const call = (key: string, fails = false) =>
    shared.run(
      { name: 'devices_SetDeviceName', key },
      async (tx) => {
        await sql`select ${fails ? 0 : 1} / ${fails ? 0 : 1}::int`.execute(tx);
        return 'shared';
      },
      async () => 'alone',
    );
  const round = () => Promise.all([call('a'), call('b', true), call('c')]);
  expect(await round()).toEqual(['alone', 'alone', 'alone']);
  expect(await round()).toEqual(['shared', 'alone', 'shared']);
});

test('64 commands share a transaction, and two transactions run at a time', async () => {
  const shared = createSharedTransactions(hub.database.db);
  const { promise, resolve } = Promise.withResolvers<void>();
  let running = 0;
  const work = async () => {
    running += 1;
    await promise;
  };
  const all = Array.from({ length: 130 }, (_, index) =>
    shared.run({ name: 'devices_SetDeviceName', key: `key ${index}` }, work, work),
  );
  await expect.poll(() => running).toBe(128);
  resolve();
  await Promise.all(all);
  expect(running).toBe(130);
});
