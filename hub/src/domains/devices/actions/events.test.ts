import { ids, type DeviceEvent } from '@corral/contract';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { deviceScene } from '../../../../test/device-scene.ts';
import { seedDevice } from '../../../../test/seed.ts';

const { hub, project, device } = deviceScene();

const event = (suffix: string, more: Partial<DeviceEvent> = {}): DeviceEvent => ({
  eventId: `d_ev_20261120-1159-AAAAAAA${suffix}`,
  severity: 'Info',
  body: 'started',
  attributes: {},
  emittedAt: '2026-11-20T11:59:00Z',
  ...more,
});
const publish = (...events: DeviceEvent[]) =>
  hub.as(device.actor, 'devices_PublishDeviceEvents', { deviceId: device.deviceId, events });
const refused = (...events: unknown[]) =>
  hub.refusal(device.actor, 'devices_PublishDeviceEvents', { deviceId: device.deviceId, events });
const read = async (limit?: number) =>
  (
    await hub.as(device.actor, 'devices_QueryDeviceEvents', {
      deviceId: device.deviceId,
      ...(limit === undefined ? {} : { limit }),
    })
  ).events;

test('events are listed as sent, newest first, with the time of receipt', async () => {
  const older = event('1', {
    category: 'boot',
    severity: 'Critical',
    body: { a: [1, null, 'ü"\\'] },
    attributes: { k: null },
    emittedAt: '2026-11-20T12:58:59.123456789+01:00',
  });
  await publish(older, event('2'));
  const receivedAt = '2026-11-20T12:00:00Z';
  expect(await read()).toEqual([
    { ...event('2'), receivedAt },
    { ...older, emittedAt: '2026-11-20T11:58:59.123456Z', receivedAt },
  ]);
  expect(await read(1)).toHaveLength(1);
  const { projectId, deviceId } = device;
  expect(hub.emittedEvents).toMatchObject([
    { name: 'devices_EventsPublished', data: { projectId, deviceId, count: 2 } },
  ]);
});

test('an event sent repeatedly is stored once, and only new events emit a hint', async () => {
  await publish(event('1'), event('1', { body: 'twin' }));
  await publish(event('1', { body: 'again' }), event('2'));
  await publish(event('2'));
  expect((await read()).map(({ body }) => body)).toEqual(['started', 'started']);
  expect(hub.emittedEvents.map(({ data }) => data['count'])).toEqual([1, 1]);
});

test('an empty list of events emits no hint', async () => {
  await publish();
  expect(hub.emittedEvents).toEqual([]);
});

test('lists 100 events by default, and 1,000 at most', async () => {
  const many = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) =>
      event('1', {
        eventId: `d_ev_20261120-1159-${String(from + index)
          .replaceAll('0', 'z')
          .padStart(8, 'A')}`,
      }),
    );
  await publish(...many(0, 1000));
  await publish(...many(1000, 100));
  expect(await read()).toHaveLength(100);
  expect(await read(5000)).toHaveLength(1000);
  expect((await refused(...many(0, 1001))).message).toContain('1000');
});

describe('an invalid event is refused with a sentence and not stored', () => {
  test.each([
    ['from the year 0', { emittedAt: '0000-01-01T00:00:00Z' }],
    ['that is too large', { body: 'x'.repeat(40_000), attributes: { a: 'x'.repeat(30_000) } }],
    ['with a category too long', { category: 'x'.repeat(201) }],
    ['with an id of another shape', { eventId: 'd_ev_2026-1' }],
    ['with an unknown severity', { severity: 'Fatal' }],
    ['with a NUL character', { body: 'a\0b' }],
    ['with half a surrogate pair', { attributes: { a: '\ud800' } }],
    ['with a NUL character in a key', { attributes: { 'a\0': 1 } }],
  ])('%s', async (_, more) => {
    const answer = await refused(event('1'), { ...event('2'), ...more });
    expect(answer).toEqual({ kind: 'Invalid', message: expect.stringMatching(/^[A-Z].*\.$/) });
    expect(await read()).toEqual([]);
  });

  test('nested too deeply', async () => {
    let body: unknown = 'deep';
    for (let depth = 0; depth < 100_000; depth += 1) body = [body];
    expect(await refused({ ...event('1'), body })).toMatchObject({ kind: 'Invalid' });
  });
});

test('an event whose id names no date is stored once', async () => {
  await publish(event('1', { eventId: 'd_ev_99999999-9999-AAAAAAAA' }));
  await publish(event('1', { eventId: 'd_ev_99999999-9999-AAAAAAAA' }));
  expect(await read()).toHaveLength(1);
});

describe('a filter selects events', () => {
  const emitted = (minutes: number) => new Date(hub.now().getTime() - minutes * 60_000).toISOString();
  const publishKinds = async () => {
    const publishBefore = async (minutes: number, ...[suffix, more]: Parameters<typeof event>) => {
      await publish(event(suffix, { ...more, emittedAt: emitted(0) }));
      hub.advance(minutes * 60);
    };
    await publishBefore(30, '1', { category: 'update', severity: 'Error', body: 'Disk FULL' });
    await publishBefore(30, '2', { category: 'update.step', body: { text: 'half way' } });
    await publishBefore(20, '3', { severity: 'Critical', body: 'overheated' });
    await publishBefore(10, '4', { category: 'net', severity: 'Warning' });
  };
  const found = async (input: { filter: string; order?: 'emitted' | '-emitted'; limit?: number }) => {
    const { events } = await hub.as(device.actor, 'devices_QueryDeviceEvents', {
      deviceId: device.deviceId,
      ...input,
    });
    return events.map(({ eventId }) => eventId.slice(-1)).join('');
  };

  test('by severity, category, time and text, in either order', async () => {
    await publishKinds();
    const selections: [string, string][] = [
      ['severity:error,critical', '31'],
      ['severity!=Error', '432'],
      ['category:update', '1'],
      ['category:update*', '21'],
      ['has:category not category:net', '21'],
      ['category!=net', '21'],
      ['emitted>=1h', '432'],
      [`emitted<${emitted(45)}`, '21'],
      ['full', '1'],
      ['"half way"', '2'],
      ['over*', '3'],
      ['severity:warning or emitted<70min', '41'],
      ['all', '4321'],
    ];
    for (const [filter, expected] of selections)
      expect([filter, await found({ filter })]).toEqual([filter, expected]);
    expect(await found({ filter: 'has:category', order: 'emitted' })).toBe('124');
  });

  test('page by page, and a mistake is refused', async () => {
    await publishKinds();
    const input = { deviceId: device.deviceId, filter: 'has:category', limit: 2 };
    const first = await hub.as(device.actor, 'devices_QueryDeviceEvents', input);
    const second = await hub.as(device.actor, 'devices_QueryDeviceEvents', {
      ...input,
      after: first.next ?? '',
    });
    expect([...first.events, ...second.events].map(({ eventId }) => eventId.slice(-1)).join('')).toBe('421');
    expect(second.next).toBeUndefined();
    const refusal = await hub.refusal(device.actor, 'devices_QueryDeviceEvents', {
      ...input,
      filter: 'severity:fatal and emitted>now',
    });
    expect(refusal.message).toBe(
      'The filter has a mistake at character 10: "severity" is one of Trace, Debug, Info, Warning, Error and Critical.',
    );
  });
});

describe('small publications at the same time', () => {
  type Device = Awaited<ReturnType<typeof seedDevice>>;
  const publishOf = ({ actor, deviceId }: Device, ...events: DeviceEvent[]) =>
    hub.as(actor, 'devices_PublishDeviceEvents', { deviceId, events });
  const counted = ({ deviceId }: Device) =>
    hub.database.db
      .selectFrom('device_event_days')
      .select(['events'])
      .where('device_id', '=', ids.device.raw(deviceId))
      .executeTakeFirst();
  const statements = async (): Promise<number> => {
    const { rows } = await sql<{ xmin: string }>`select distinct xmin::text from device_events`.execute(
      hub.database.db,
    );
    return rows.length;
  };
  /** Devices that have sent events on another day. */
  const devices = async (count: number) => {
    const all = await Promise.all(Array.from({ length: count }, () => seedDevice(hub, project)));
    const rawIds = all.map(({ deviceId }) => ids.device.raw(deviceId));
    await sql`
      insert into device_event_days select device_id, '2026-11-19', 7, 7 from devices where device_id = any(${rawIds})`.execute(
      hub.database.db,
    );
    return all;
  };

  test('of many devices share a statement; each is stored and counted once', async () => {
    const all = await devices(20);
    await Promise.all(all.map((one, index) => publishOf(one, event('1'), event('2', { body: index }))));
    expect(await statements()).toBeLessThan(all.length);
    for (const [index, one] of all.entries()) {
      const { deviceId } = one;
      const { events } = await hub.as(one.actor, 'devices_QueryDeviceEvents', { deviceId });
      expect(events.map(({ body }) => body)).toEqual([index, 'started']);
      expect(await counted(one)).toEqual({ events: 2 });
    }
    const hints = hub.emittedEvents.filter(({ name }) => name === 'devices_EventsPublished');
    expect(hints.map(({ data }) => data['count'])).toEqual(all.map(() => 2));
  });

  test('of one device are all stored and counted', async () => {
    const suffixes = [...'123456789'];
    await Promise.all(suffixes.map((suffix) => publish(event(suffix))));
    expect(await read()).toHaveLength(9);
    expect(await counted(device)).toEqual({ events: 9 });
  });

  test('of a device that is gone fail alone', async () => {
    const [gone, ...others] = await devices(6);
    if (gone === undefined) throw new Error('There are six.');
    await hub.as(project.owner, 'devices_DeleteDevice', { deviceId: gone.deviceId });
    const outcomes = await Promise.allSettled([gone, ...others].map((one) => publishOf(one, event('1'))));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', ...others.map(() => 'fulfilled')]);
  });

  test('do not wait for a device that somebody has locked', async () => {
    const [locked, ...others] = await devices(6);
    if (locked === undefined) throw new Error('There are six.');
    const release = Promise.withResolvers<void>();
    const holding = Promise.withResolvers<void>();
    const holder = hub.database.db.transaction().execute(async (tx) => {
      await sql`select 1 from devices where device_id = ${ids.device.raw(locked.deviceId)} for update`.execute(
        tx,
      );
      holding.resolve();
      await release.promise;
    });
    await holding.promise;
    const waiting = publishOf(locked, event('1'));
    await Promise.all(others.map((one) => publishOf(one, event('1'))));
    expect(await counted(locked)).toEqual({ events: 7 });
    release.resolve();
    await Promise.all([holder, waiting]);
    expect(await counted(locked)).toEqual({ events: 1 });
  });
});
