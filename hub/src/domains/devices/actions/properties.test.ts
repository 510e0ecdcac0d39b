import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { connectDatabase } from '../../../platform/db/connect.ts';
import { deviceScene } from '../../../../test/device-scene.ts';
import { type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedDevice, waitingLocks } from '../../../../test/seed.ts';

const { hub, project, device, administrator } = deviceScene();

const property = (name: string, value: unknown, more = {}) => ({
  deviceId: device.deviceId,
  name,
  value: value as never,
  ...more,
});
const set = (actor: Parameters<FreshExecutor['as']>[0], ...args: Parameters<typeof property>) =>
  hub.as(actor, 'devices_SetDeviceProperty', property(...args));
const refused = (actor: Parameters<FreshExecutor['as']>[0], ...args: Parameters<typeof property>) =>
  hub.refusal(actor, 'devices_SetDeviceProperty', property(...args));
const get = (name: string) =>
  hub.as(device.actor, 'devices_GetDeviceProperty', { deviceId: device.deviceId, name });

test('a property is written and read by the device and by users', async () => {
  expect(await get('mode')).toEqual({ result: 'NotFound' });
  await set(device.actor, 'mode', { fast: [1, null] });
  expect(await get('mode')).toEqual({
    result: 'Found',
    name: 'mode',
    value: { fast: [1, null] },
    protected: false,
    version: 1,
    lastUpdated: '2026-11-20T12:00:00Z',
  });
  await set(project.owner, 'mode', null);
  expect(await get('mode')).toMatchObject({ value: null });
  const { deviceId } = device;
  const data = { projectId: project.projectId, deviceId, name: 'mode' };
  expect(hub.emittedEvents[0]).toMatchObject({ name: 'devices_PropertiesChanged', data });
});

test('a property that a person writes is in the audit log without its value, and one of the device is not', async () => {
  const { deviceId } = device;
  for (const actor of [device.actor, project.owner]) {
    hub.advance(1);
    await set(actor, 'mode', 'secret-value');
    await hub.as(actor, 'devices_SetDeviceMetadata', { deviceId, metadata: { note: 'secret-value' } });
    await hub.as(actor, 'devices_RemoveProperty', { deviceId, name: 'mode' });
  }
  const of = async (actor: string) => {
    const asked = { actor, since: hub.now().toISOString() };
    const { actions } = await hub.as(administrator, 'audit_QueryAuditLogActions', asked);
    return actions.map(({ action, status, data }) => ({ action, status, data }));
  };
  const written = await of(`User:${project.owner.userId}`);
  expect(written).toHaveLength(3);
  const expected = [
    { action: 'devices_SetDeviceProperty', status: 'Succeeded', data: { deviceId, name: 'mode' } },
    { action: 'devices_SetDeviceMetadata', status: 'Succeeded', data: { deviceId } },
    { action: 'devices_RemoveProperty', status: 'Succeeded', data: { deviceId, name: 'mode' } },
  ];
  expect(written).toEqual(expect.arrayContaining(expected));
  await set(project.owner, 'limit', 1, { protected: true });
  expect((await refused(device.actor, 'limit', 2)).kind).toBe('Forbidden');
  expect(await of(`Device:${deviceId}`)).toEqual([]);
});

test('all properties are read by name, with any names', async () => {
  await set(device.actor, '__proto__', 1);
  await set(device.actor, 'b', 'x');
  const { deviceId } = device;
  const { properties } = await hub.as(device.actor, 'devices_QueryDeviceProperties', { deviceId });
  expect(Object.entries(properties).map(([name, { value }]) => [name, value])).toEqual([
    ['__proto__', 1],
    ['b', 'x'],
  ]);
});

test('a protected property is written by users and read by the device', async () => {
  await set(project.owner, 'limit', 5, { protected: true });
  expect(await refused(device.actor, 'limit', 6)).toEqual({
    kind: 'Forbidden',
    message: 'This property is protected: the device may only read it.',
  });
  expect(await get('limit')).toMatchObject({ value: 5, protected: true });
  await set(project.owner, 'limit', 7);
  expect(await get('limit')).toMatchObject({ value: 7, protected: true });
  // A value that would exceed the quota of the device, too, is first of all protected.
  await sql`insert into instance_settings (key, value, changed_at) values ('devicePropertyBytes', '1024', now())`.execute(
    hub.database.db,
  );
  expect((await refused(device.actor, 'limit', 'x'.repeat(3_000))).kind).toBe('Forbidden');
  await hub.database.db.deleteFrom('instance_settings').execute();
  await set(project.owner, 'limit', 7, { protected: false });
  await set(device.actor, 'limit', 8);
  expect(await get('limit')).toMatchObject({ value: 8, protected: false });
  expect((await refused(device.actor, 'limit', 9, { protected: true })).kind).toBe('Forbidden');
});

test('names, values and their number have limits', async () => {
  expect((await refused(device.actor, '', 1)).kind).toBe('Invalid');
  expect((await refused(device.actor, 'x'.repeat(201), 1)).kind).toBe('Invalid');
  expect((await refused(device.actor, 'x', 'x'.repeat(256 * 1024))).message).toContain('256 KiB');
  for (let count = 0; count < 500; count += 1) await set(device.actor, `n${count}`, count);
  expect((await refused(device.actor, 'one more', 1)).message).toContain('at most 500');
  await set(device.actor, 'n7', 'changed');
});

test('lists of devices are stale once the hostname or the health of a device is another, and only then', async () => {
  const { deviceId } = device;
  const changes = () => hub.emittedEvents.filter(({ name }) => name === 'devices_ListedFieldsChanged');
  const name = 'dev.nexigon.system.info';
  await set(device.actor, name, { hostname: 'crane-10', memory: 1 });
  expect(changes()).toMatchObject([{ data: { projectId: project.projectId, deviceId } }]);
  await set(device.actor, name, { hostname: 'crane-10', memory: 2 });
  await set(device.actor, 'mode', { hostname: 'crane-11' });
  expect(changes()).toHaveLength(1);
  await set(device.actor, 'dev.nexigon.system.health', { status: 'degraded' });
  expect(changes()).toHaveLength(2);
  await hub.as(device.actor, 'devices_RemoveProperty', { deviceId, name });
  expect(changes()).toHaveLength(3);
});

test('writes of one device that wait for its row leave connections to the database to others', async () => {
  const other = await seedDevice(hub, project);
  await using locking = await lockedRow(device.deviceId);
  const writes = Array.from({ length: 40 }, (_, index) => set(device.actor, `new ${index}`, index));
  await vi.waitFor(async () => expect(await locking.waitingCount()).toBe(4));
  const write = { deviceId: other.deviceId, name: 'mode', value: 1 };
  expect(await hub.as(other.actor, 'devices_SetDeviceProperty', write)).toEqual({ result: 'Set' });
  expect(await locking.waitingCount()).toBe(4);
  await locking.release();
  expect(await Promise.all(writes)).toEqual(Array(40).fill({ result: 'Set' }));
});

/** Holds the row of a device locked, on a connection that the hub does not have. */
async function lockedRow(deviceId: `d_${string}`) {
  const db = connectDatabase(hub.database.address, { maxConnections: 2, onIdleError() {} });
  const held = await db.startTransaction().execute();
  await sql`select 1 from devices where device_id = ${ids.device.raw(deviceId)} for update`.execute(held);
  return {
    waitingCount: () => waitingLocks(db),
    release: () => held.commit().execute(),
    async [Symbol.asyncDispose]() {
      if (!held.isCommitted) await held.rollback().execute();
      await db.destroy();
    },
  };
}
