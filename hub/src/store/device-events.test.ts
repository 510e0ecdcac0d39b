import { ids } from '@corral/contract';
import { expect, test } from 'vitest';
import { deviceScene } from '../../test/device-scene.ts';
import { seedDevice } from '../../test/seed.ts';
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
