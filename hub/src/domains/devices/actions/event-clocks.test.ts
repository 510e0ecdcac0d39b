import type { DeviceEvent } from '@corral/contract';
import { expect, test } from 'vitest';
import { deviceScene } from '../../../../test/device-scene.ts';

const { hub, device } = deviceScene();

const event = (suffix: string, more: Partial<DeviceEvent>): DeviceEvent => ({
  eventId: `d_ev_20261120-1159-AAAAAAA${suffix}`,
  severity: 'Error',
  body: 'overheated',
  attributes: {},
  emittedAt: '2026-11-20T11:59:00Z',
  ...more,
});
const publish = (...events: DeviceEvent[]) =>
  hub.as(device.actor, 'devices_PublishDeviceEvents', { deviceId: device.deviceId, events });
const hours = (count: number) => new Date(hub.now().getTime() + count * 3_600_000).toISOString();
const found = async (input: { filter?: string; order?: 'emitted'; limit?: number; after?: string }) =>
  hub.as(device.actor, 'devices_QueryDeviceEvents', { deviceId: device.deviceId, ...input });
const suffixesOf = ({ events }: Awaited<ReturnType<typeof found>>) =>
  events.map(({ eventId }) => eventId.slice(-1)).join('');
const threeYears = 3 * 365 * 24;
/** The first is right; then the clock is days ahead, years behind, at both ends of time, four and six minutes off. */
const publishMisdated = async () => {
  const offsets = [0, 72, -threeYears, 4 / 60, 6 / 60, -6 / 60];
  for (const [index, offset] of offsets.entries()) {
    await publish(event(String(index + 1), { emittedAt: hours(offset) }));
    hub.advance(600);
  }
  await publish(event('7', { emittedAt: '0001-01-01T00:00:00Z' }));
  hub.advance(600);
  await publish(event('8', { emittedAt: '9999-12-31T23:59:59.999999Z' }));
};

test('a device with a wrong clock loses no event, and a fresh one stands on top, in either order and on every page', async () => {
  await publishMisdated();
  expect(suffixesOf(await found({}))).toBe('87654321');
  expect(suffixesOf(await found({ order: 'emitted' }))).toBe('12345678');
  const first = await found({ limit: 5 });
  expect(suffixesOf(first)).toBe('87654');
  expect(suffixesOf(await found({ limit: 5, after: first.next ?? '' }))).toBe('321');
});

test('a device with a wrong clock is filtered by the time of receipt', async () => {
  await publishMisdated();
  expect(suffixesOf(await found({ filter: 'emitted>=45min' }))).toBe('87654');
  expect(suffixesOf(await found({ filter: 'emitted<45min' }))).toBe('321');
  expect(suffixesOf(await found({ filter: `emitted>${hours(1)}` }))).toBe('');
});

test('a device with a wrong clock keeps both times', async () => {
  const [emittedAt, receivedAt] = [-threeYears, 0].map((count) => hours(count).replace('.000Z', 'Z')) as [
    string,
    string,
  ];
  await publish(event('1', { emittedAt }));
  expect((await found({})).events).toEqual([{ ...event('1', { emittedAt }), receivedAt }]);
});

test('a device with a wrong clock that sends several events at once keeps their order', async () => {
  const emittedAt = hours(-threeYears);
  const sent = [...'5316'].map((suffix) => event(suffix, { emittedAt }));
  await publish(...sent);
  expect(suffixesOf(await found({ order: 'emitted' }))).toBe('5316');
});
