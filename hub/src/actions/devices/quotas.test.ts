import type { DeviceEvent } from '@corral/contract';
import { afterEach, describe, expect, test } from 'vitest';
import { deviceScene } from '../../../test/device-scene.ts';

const { hub, project, device } = deviceScene();

afterEach(() => hub.database.db.deleteFrom('instance_settings').execute());

const quota = (key: string, value: number) =>
  hub.database.db
    .insertInto('instance_settings')
    .values({ key, value: JSON.stringify(value), changed_at: hub.now() })
    .execute();
const usage = async () =>
  (await hub.as(project.owner, 'devices_GetDeviceDetails', { deviceId: device.deviceId })).usage;

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
      'The properties of this device would have more than the 640 KiB that it may store. Remove some, or ask an administrator for a larger quota.',
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
