import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { deviceScene } from '../../../../test/device-scene.ts';
import { seedDevice } from '../../../../test/seed.ts';
import { insertEvents, type EventColumns } from './device-events.ts';

const { hub, project } = deviceScene();

const oneEvent = (body: string): EventColumns => ({
  ids: ['20261120-1159-AAAAAAA1'],
  months: [202611],
  categories: [null],
  severities: ['Info'],
  bodies: [body],
  attributes: ['{}'],
  emittedAt: ['2026-11-20T11:59:00Z'],
  deviceTimes: [null],
});

test('a publication that the database refuses does not take those of other devices with it', async () => {
  const { db } = hub.database;
  const now = new Date('2026-11-20T12:00:00Z');
  const devices = await Promise.all(Array.from({ length: 4 }, () => seedDevice(hub, project)));
  const publish = ({ deviceId }: (typeof devices)[number], index: number) =>
    insertEvents(db, ids.device.raw(deviceId), oneEvent(index === 1 ? 'no JSON' : '"started"'), now);
  const outcomes = await Promise.allSettled(devices.map(publish));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  const stored = await db.selectFrom('device_events').select('device_id').execute();
  const right = devices.filter((_, index) => index !== 1).map(({ deviceId }) => ids.device.raw(deviceId));
  expect(stored.map(({ device_id }) => device_id).toSorted()).toEqual(right.toSorted());
});

test.each(['later', 'first'])(
  'a large publication of a device, its %s one, holds up none of other devices',
  async (which) => {
    const { db } = hub.database;
    const now = new Date('2026-11-20T12:00:00Z');
    const devices = await Promise.all(Array.from({ length: 6 }, () => seedDevice(hub, project)));
    const [large = '', ...others] = devices.map(({ deviceId }) => ids.device.raw(deviceId));
    const known = which === 'first' ? others : [large, ...others];
    const count = (rawIds: readonly string[]) => sql`
      insert into device_event_days select device_id, '2026-11-20', 1, 1 from unnest(${[...rawIds]}::text[]) as device_id
      on conflict (device_id) do update set events = 2`;
    await count(known).execute(db);
    const publish = (deviceId: string) => insertEvents(db, deviceId, oneEvent('"started"'), now);
    const storedOf = async (rawIds: readonly string[]) =>
      (await db.selectFrom('device_events').select('device_id').where('device_id', 'in', rawIds).execute())
        .length;
    const publishing = await db.transaction().execute(async (tx) => {
      await count([large]).execute(tx);
      const begun = [large, ...others].map(publish);
      await vi.waitFor(async () => expect(await storedOf(others)).toBe(others.length));
      return begun;
    });
    expect(await Promise.all(publishing)).toEqual(
      devices.map(() => expect.objectContaining({ count: 1, isWithinQuota: true })),
    );
  },
);
