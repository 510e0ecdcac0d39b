import { ids, type DeviceEvent, type Json } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { connectDatabase, type Database } from '../../../platform/db/connect.ts';
import { deviceScene } from '../../../../test/device-scene.ts';
import { newCertificate, newFingerprint, seedToken, waitingLocks } from '../../../../test/seed.ts';
import { AuthenticateDevice } from '../internal/AuthenticateDevice.ts';

const { hub, project, device } = deviceScene();

afterEach(() => hub.database.db.deleteFrom('instance_settings').execute());

const quota = (key: string, value: number) =>
  hub.database.db
    .insertInto('instance_settings')
    .values({ key, value: JSON.stringify(value), changed_at: hub.now() })
    .execute();
const usage = async () =>
  (await hub.as(project.owner, 'devices_GetDeviceDetails', { deviceId: device.deviceId })).usage;

/** Runs calls that wait, one after the other, until a lock is released, and returns how many of them succeed and the refusals of the others. */
async function together(lock: (tx: Database) => Promise<unknown>, calls: (() => Promise<unknown>)[]) {
  const db = connectDatabase(hub.database.address, { maxConnections: 2, onIdleError() {} });
  const held = await db.startTransaction().execute();
  try {
    await lock(held);
    const outcomes: Promise<PromiseSettledResult<unknown>[]>[] = [];
    for (const call of calls) {
      outcomes.push(Promise.allSettled([call()]));
      await vi.waitFor(async () => expect(await waitingLocks(db)).toBe(outcomes.length));
    }
    await held.commit().execute();
    const refusals = (await Promise.all(outcomes))
      .flat()
      .flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    return { succeeded: calls.length - refusals.length, refusals };
  } finally {
    if (!held.isCommitted) await held.rollback().execute();
    await db.destroy();
  }
}

describe('properties', () => {
  const property = (name: string, kib: number, more = {}) => ({
    deviceId: device.deviceId,
    name,
    value: 'x'.repeat(kib * 1024 - 2),
    ...more,
  });
  const set = (...args: Parameters<typeof property>) =>
    hub.as(device.actor, 'devices_SetDeviceProperty', property(...args));
  const refused = (...args: Parameters<typeof property>) =>
    hub.refusal(device.actor, 'devices_SetDeviceProperty', property(...args));
  const full = {
    kind: 'Invalid',
    message:
      'The properties and the metadata of this device would have more than the 640 KiB that it may store. Remove some, or ask an administrator for a larger quota.',
  };

  test('of a device have a quota of bytes, which its project sees', async () => {
    await quota('devicePropertyBytes', 640 * 1024);
    for (const name of ['a', 'b']) await set(name, 256);
    await set('c', 100);
    expect(await usage()).toMatchObject({ propertyBytes: 612 * 1024, maxPropertyBytes: 640 * 1024 });
    expect(await refused('d', 29)).toEqual(full);
    expect(await refused('c', 129)).toEqual(full);
    expect(await refused('c', 129, { expectedVersion: 1 })).toEqual(full);
    await set('c', 128, { expectedVersion: 1 });
    const { properties } = await hub.as(device.actor, 'devices_QueryDeviceProperties', {
      deviceId: device.deviceId,
    });
    expect(Object.keys(properties)).toEqual(['a', 'b', 'c']);
  });

  test('may shrink under a quota that was lowered, and older rows count without a stored size', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await set(name, 200);
    await hub.database.db.updateTable('device_properties').set({ size_bytes: null }).execute();
    await quota('devicePropertyBytes', 640 * 1024);
    expect(await usage()).toMatchObject({ propertyBytes: 800 * 1024 });
    expect(await refused('a', 201)).toEqual(full);
    await set('a', 199);
    await set('a', 10);
  });

  test('that grow at the same time cannot exceed the quota together', async () => {
    await quota('devicePropertyBytes', 640 * 1024);
    for (const name of ['a', 'b', 'c']) await set(name, 100);
    const lockRows = (tx: Database) =>
      sql`select 1 from device_properties where device_id = ${ids.device.raw(device.deviceId)} for update`.execute(
        tx,
      );
    const { succeeded, refusals } = await together(lockRows, [
      () => set('a', 256),
      () => set('b', 256),
      () => set('c', 256, { expectedVersion: 1 }),
    ]);
    expect(succeeded).toBe(2);
    expect(refusals).toMatchObject([full]);
  });

  const metadata = (kib: number, more: Record<string, Json> = {}) => ({
    deviceId: device.deviceId,
    // As PostgreSQL writes it: {"note": "xxx"}
    metadata: { note: 'x'.repeat(kib * 1024 - 12), ...more },
  });
  const describeDevice = (...args: Parameters<typeof metadata>) =>
    hub.as(device.actor, 'devices_SetDeviceMetadata', metadata(...args));
  const metadataRefused = (...args: Parameters<typeof metadata>) =>
    hub.refusal(device.actor, 'devices_SetDeviceMetadata', metadata(...args));

  test('share the quota with the metadata, which may shrink when it is exceeded', async () => {
    await quota('devicePropertyBytes', 640 * 1024);
    for (const name of ['a', 'b']) await set(name, 256);
    await describeDevice(60);
    expect(await usage()).toMatchObject({ propertyBytes: 572 * 1024 });
    expect(await refused('c', 69)).toEqual(full);
    await set('c', 68);
    expect(await metadataRefused(61)).toEqual(full);
    expect(await metadataRefused(60, { more: 1 })).toEqual(full);
    await hub.database.db.deleteFrom('instance_settings').execute();
    await quota('devicePropertyBytes', 65_536);
    await describeDevice(60);
    await describeDevice(59);
    expect(await metadataRefused(60)).toMatchObject({ kind: 'Invalid' });
    expect(await usage()).toMatchObject({ propertyBytes: 639 * 1024 });
    await hub.as(project.owner, 'devices_SetDeviceMetadata', { ...metadata(1), metadata: {} });
    expect(await usage()).toMatchObject({ propertyBytes: 580 * 1024 });
  });

  test('and metadata that are written at the same time cannot exceed the quota together', async () => {
    await quota('devicePropertyBytes', 640 * 1024);
    for (const name of ['a', 'b']) await set(name, 256);
    await set('c', 68);
    const lockDevice = (tx: Database) =>
      sql`select 1 from devices where device_id = ${ids.device.raw(device.deviceId)} for no key update`.execute(
        tx,
      );
    const { succeeded, refusals } = await together(lockDevice, [
      () => set('d', 50),
      () => describeDevice(50),
    ]);
    expect(succeeded).toBe(1);
    expect(refusals).toMatchObject([full]);
  });

  test('count beside metadata that was there before it was measured', async () => {
    await sql`update devices set metadata = '{"note": "north"}', metadata_bytes = null
      where device_id = ${ids.device.raw(device.deviceId)}`.execute(hub.database.db);
    expect(await usage()).toMatchObject({ propertyBytes: 17 });
  });
});

test('a list shows no more of a host name than one may have', async () => {
  const value = { hostname: 'h'.repeat(250_000) };
  const property = { deviceId: device.deviceId, name: 'dev.nexigon.system.info', value };
  await hub.as(device.actor, 'devices_SetDeviceProperty', property);
  const { devices } = await hub.as(project.owner, 'projects_QueryProjectDevices', {
    projectId: project.projectId,
  });
  expect(devices.map(({ hostname }) => hostname?.length)).toEqual([253]);
});

describe('events', () => {
  let count = 0;
  const event = (body = 'x'): DeviceEvent => ({
    eventId: `d_ev_20261120-1159-${String((count += 1))
      .padStart(8, 'z')
      .replaceAll('0', 'z')}`,
    severity: 'Info',
    body,
    attributes: {},
    emittedAt: '2026-11-20T11:59:00Z',
  });
  const events = (number: number, body?: string) => Array.from({ length: number }, () => event(body));
  const publish = (sent: DeviceEvent[]) =>
    hub.as(device.actor, 'devices_PublishDeviceEvents', { deviceId: device.deviceId, events: sent });
  const refused = (sent: DeviceEvent[]) =>
    hub.refusal(device.actor, 'devices_PublishDeviceEvents', { deviceId: device.deviceId, events: sent });
  const full = {
    kind: 'Throttled',
    message:
      'This device has sent as many events as it may today. An administrator can allow more in the settings.',
  };
  const stored = async () =>
    (await hub.as(device.actor, 'devices_QueryDeviceEvents', { deviceId: device.deviceId, limit: 1000 }))
      .events.length;

  test('of a device have a quota for each day; what was taken stays, and the next day more are taken', async () => {
    await quota('deviceEventsPerDay', 1_000);
    await publish(events(600));
    expect(await refused(events(401))).toMatchObject(full);
    expect(await stored()).toBe(600);
    await publish(events(400));
    expect(await usage()).toMatchObject({
      eventsToday: 1_000,
      maxEventsPerDay: 1_000,
      eventBytesToday: 5_000,
    });
    expect(await refused(events(1))).toMatchObject(full);
    hub.advance(86_400);
    await publish(events(1));
    expect(await usage()).toMatchObject({ eventsToday: 1 });
  });

  test('sent at the same time cannot pass the quota together', async () => {
    await quota('deviceEventsPerDay', 1_000);
    await publish(events(900));
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => publish(events(30))));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await usage()).toMatchObject({ eventsToday: 990 });
  });

  test('that are sent again, since the answer was lost, are not refused', async () => {
    await quota('deviceEventsPerDay', 1_000);
    const sent = events(600);
    await publish(sent);
    await publish(sent);
    await publish([...sent.slice(0, 300), ...events(300)]);
    expect(await stored()).toBe(900);
    expect(await refused([...sent.slice(0, 300), ...events(101)])).toMatchObject(full);
    expect(await stored()).toBe(900);
  });

  test('have a quota of bytes', async () => {
    await quota('deviceEventBytesPerDay', 1_048_576);
    await publish(events(20, 'x'.repeat(50_000)));
    expect(await refused(events(1, 'x'.repeat(50_000)))).toMatchObject(full);
  });
});

describe('devices', () => {
  const full = {
    kind: 'Invalid',
    message:
      'The project may have at most 2 devices. Delete some that are no longer used, or ask an administrator for a larger quota.',
  };

  test('of a project have a quota, whoever adds them; those that it has go on, and one that is deleted makes room', async () => {
    await quota('devicesPerProject', 2);
    const { projectId } = project;
    const create = () => ({ projectId, fingerprint: newFingerprint() });
    await hub.as(project.owner, 'devices_CreateDevice', create());
    expect(await hub.refusal(project.owner, 'devices_CreateDevice', create())).toEqual(full);
    const { token } = await seedToken(hub, project);
    const shown = { token, fingerprint: newFingerprint(), certificate: newCertificate() };
    expect(await hub.refused(AuthenticateDevice, shown)).toEqual(full);
    expect(await hub.run(AuthenticateDevice, device.shown)).toMatchObject({
      deviceId: device.deviceId,
    });
    expect(await hub.as(project.owner, 'projects_GetProjectDetails', { projectId })).toMatchObject({
      deviceCount: 2,
      maxDeviceCount: 2,
    });
    await hub.as(project.owner, 'devices_DeleteDevice', { deviceId: device.deviceId });
    await hub.run(AuthenticateDevice, shown);
  });
});
