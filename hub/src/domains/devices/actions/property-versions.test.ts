import { ids, type Actor } from '@corral/contract';
import { describe, expect, inject, test } from 'vitest';
import { deviceScene } from '../../../../test/device-scene.ts';
import { seedProject, waitingLocks } from '../../../../test/seed.ts';

const { hub, project, device } = deviceScene();

const named = (name: string) => ({ deviceId: device.deviceId, name });
const set = (name: string, value: number, more = {}, actor: Actor = device.actor) =>
  hub.as(actor, 'devices_SetDeviceProperty', { ...named(name), value, ...more });
const remove = (name: string, actor: Actor = device.actor) =>
  hub.as(actor, 'devices_RemoveProperty', named(name));
const get = (name: string) => hub.as(device.actor, 'devices_GetDeviceProperty', named(name));
const versionOf = async (name: string) => {
  const found = await get(name);
  return found.result === 'Found' ? found.version : undefined;
};

test("every write increments the property's version, also with an equal value", async () => {
  expect(await set('mode', 1)).toEqual({ result: 'Set' });
  await set('mode', 1);
  await set('mode', 2, {}, project.owner);
  await set('other', 1);
  expect([await versionOf('mode'), await versionOf('other')]).toEqual([3, 1]);
  const { deviceId } = device;
  const { properties } = await hub.as(device.actor, 'devices_QueryDeviceProperties', { deviceId });
  expect(properties).toMatchObject({ mode: { version: 3 }, other: { version: 1 } });
});

describe('a write that expects a version', () => {
  test('succeeds only at that version', async () => {
    await set('mode', 1);
    expect(await set('mode', 2, { expectedVersion: 1 })).toEqual({ result: 'Set' });
    expect(await set('mode', 3, { expectedVersion: 1 })).toEqual({
      result: 'VersionConflict',
      currentVersion: 2,
    });
    expect(await get('mode')).toMatchObject({ value: 2, version: 2 });
    expect(hub.emittedEvents).toHaveLength(2);
  });

  test('takes the version as a decimal string, and refuses other texts', async () => {
    await set('mode', 1);
    expect(await set('mode', 2, { expectedVersion: '1' })).toEqual({ result: 'Set' });
    expect(await set('mode', 3, { expectedVersion: null })).toEqual({ result: 'Set' });
    for (const expectedVersion of [-1, 1.5, 'one', '1e3', '9'.repeat(20), true, {}])
      expect(
        await hub.refusal(device.actor, 'devices_SetDeviceProperty', {
          ...named('mode'),
          value: 4,
          expectedVersion,
        }),
      ).toEqual({ kind: 'Invalid', message: expect.stringMatching(/^The field expectedVersion [^.]+\.$/) });
    expect(await get('mode')).toMatchObject({ value: 3 });
  });

  test('creates no property that is missing or removed', async () => {
    expect(await set('mode', 1, { expectedVersion: 0 })).toEqual({ result: 'Deleted' });
    await set('mode', 1);
    await remove('mode');
    expect(await set('mode', 2, { expectedVersion: 1 })).toEqual({ result: 'Deleted' });
    expect(await get('mode')).toEqual({ result: 'NotFound' });
  });

  test('does not disclose to a device the version of a property that it may not write', async () => {
    await set('limit', 1, { protected: true }, project.owner);
    const input = { ...named('limit'), value: 2, expectedVersion: 9 };
    expect((await hub.refusal(device.actor, 'devices_SetDeviceProperty', input)).kind).toBe('Forbidden');
  });

  test('succeeds for one of several concurrent writers', async () => {
    await set('count', 0);
    for (let version = 1; version <= 5; version += 1) {
      const writes = Array.from({ length: 5 }, (_, index) =>
        set('count', index, { expectedVersion: version }),
      );
      const results = (await Promise.all(writes)).map(({ result }) => result);
      expect(results.filter((result) => result === 'Set')).toHaveLength(1);
      expect(results.filter((result) => result === 'VersionConflict')).toHaveLength(4);
    }
    expect(await versionOf('count')).toBe(6);
  });
});

describe('a removal', () => {
  test('removes a property once, with an event', async () => {
    await set('mode', 1);
    expect(await remove('mode')).toEqual({ result: 'Removed' });
    expect(await get('mode')).toEqual({ result: 'NotFound' });
    expect(await remove('mode')).toEqual({ result: 'NotFound' });
    expect(hub.emittedEvents.map(({ name }) => name)).toEqual(Array(2).fill('devices_PropertiesChanged'));
  });

  test('is allowed to those who may write the property', async () => {
    await set('limit', 1, { protected: true }, project.owner);
    expect((await hub.refusal(device.actor, 'devices_RemoveProperty', named('limit'))).kind).toBe(
      'Forbidden',
    );
    expect(await versionOf('limit')).toBe(1);
    const { owner } = await seedProject(hub);
    expect(await hub.refusal(owner, 'devices_RemoveProperty', named('limit'))).toEqual({
      kind: 'Invalid',
      message: 'Device not found.',
    });
    expect(await remove('limit', project.owner)).toEqual({ result: 'Removed' });
  });

  test('does not reset the version, but resets protection', async () => {
    await set('mode', 1, { protected: true }, project.owner);
    await set('mode', 2, {}, project.owner);
    await remove('mode', project.owner);
    await set('mode', 3);
    expect(await get('mode')).toMatchObject({ version: 3, protected: false });
    await remove('mode');
    await set('mode', 4);
    expect(await versionOf('mode')).toBe(4);
  });

  test('that is concurrent with a write does not reset the version', async () => {
    await set('mode', 1);
    const { db } = hub.database;
    let written: Promise<unknown> | undefined;
    await db.transaction().execute(async (tx) => {
      const device_id = ids.device.raw(device.deviceId);
      await tx
        .selectFrom('devices')
        .select('device_id')
        .where('device_id', '=', device_id)
        .forNoKeyUpdate()
        .execute();
      await tx.deleteFrom('device_properties').where('device_id', '=', device_id).execute();
      const removed_at = hub.now();
      await tx
        .insertInto('removed_device_properties')
        .values({ device_id, name: 'mode', version: 1, removed_at })
        .execute();
      written = set('mode', 2);
      await expect.poll(() => waitingLocks(db)).toBeGreaterThan(0);
    });
    await written;
    expect(await versionOf('mode')).toBe(2);
  });

  test('of very many properties is stored as one upper bound of their versions', async () => {
    for (let count = 0; count < 4; count += 1) await set('first', count);
    await remove('first');
    for (let count = 0; count < 500; count += 1) {
      hub.advance(1);
      await set(`n${count}`, count);
      await remove(`n${count}`);
    }
    const { length } = await hub.database.db
      .selectFrom('removed_device_properties')
      .select('name')
      .where('device_id', '=', ids.device.raw(device.deviceId))
      .execute();
    expect(length).toBe(500);
    await set('first', 1);
    await set('n499', 1);
    expect([await versionOf('first'), await versionOf('n499')]).toEqual([5, 5]);
  });
});

test('concurrent writes and removals never use a version twice', async () => {
  const seen: number[] = [];
  for (let round = 0; round < inject('figures').concurrentWrites; round += 1) {
    await Promise.all([set('mode', round), remove('mode'), set('mode', round), remove('mode')]);
    await set('mode', round);
    seen.push((await versionOf('mode')) ?? 0);
  }
  expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
});
