import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedDevice, seedProject } from '../../../../test/seed.ts';
import { deleteDevicesOfDeletedProjects } from '../jobs/delete-devices-of-deleted-projects.ts';
import { dropOldEventPartitions, ensureEventPartitions } from './event-partitions.ts';
import { RotateEventPartitions } from '../internal/RotateEventPartitions.ts';

let hub: FreshExecutor;
let device: Awaited<ReturnType<typeof seedDevice>>;
beforeEach(async () => {
  hub = await freshExecutor();
  device = await seedDevice(hub, await seedProject(hub));
});
afterEach(() => hub[Symbol.asyncDispose]());

const publish = (...months: number[]) =>
  hub.as(device.actor, 'devices_PublishDeviceEvents', {
    deviceId: device.deviceId,
    events: months.map((month, index) => ({
      eventId: ids.deviceEvent.of(`${String(month).padStart(6, '0')}15-1200-AAAAAAA${'123456789ABC'[index]}`),
      severity: 'Info' as const,
      body: month,
      attributes: {},
      emittedAt: '2026-11-20T12:00:00Z',
    })),
  });

/** Rows per partition. */
async function places(): Promise<Record<string, number>> {
  const { rows } = await sql<{ place: string; count: number }>`
    select tableoid::regclass::text as place, count(*) as count from device_events group by 1`.execute(
    hub.database.db,
  );
  return Object.fromEntries(rows.map(({ place, count }) => [place, count]));
}

async function partitions(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'device_events'::regclass order by 1`.execute(
    hub.database.db,
  );
  return rows.map(({ name }) => name);
}

test('last, this and next month get partitions, over the turn of a year too', async () => {
  await ensureEventPartitions(hub.database.db, new Date('2026-12-31T23:59:59Z'));
  await ensureEventPartitions(hub.database.db, new Date('2026-12-31T23:59:59Z'));
  expect(await partitions()).toEqual([
    'device_events_202611',
    'device_events_202612',
    'device_events_202701',
    'device_events_other',
  ]);
});

test('events are stored in the month of their id from last month until a day ahead, all others in this month', async () => {
  await ensureEventPartitions(hub.database.db, hub.now());
  await publish(202610, 202611, 202612, 202701, 209912, 202613, 999999, 202609, 197001, 0);
  expect(await places()).toEqual({ device_events_202610: 1, device_events_202611: 9 });
  hub.advance(10 * 86_400);
  await publish(202612);
  expect(await places()).toMatchObject({ device_events_202611: 9, device_events_202612: 1 });
});

test('an event with an id of another time is stored once, even if it is sent again in another month', async () => {
  const stored = async () => {
    const { rows } = await sql<{ count: number }>`select count(*) from device_events`.execute(
      hub.database.db,
    );
    return rows[0]?.count;
  };
  await ensureEventPartitions(hub.database.db, hub.now());
  hub.emittedEvents.length = 0;
  await publish(202501, 202701, 202611);
  hub.advance(15 * 86_400);
  await publish(202501, 202701, 202611, 202502);
  expect(await stored()).toBe(4);
  expect(hub.emittedEvents.map(({ data }) => data['count'])).toEqual([3, 1]);
});

/** Stores events in the default partition, as hubs of earlier releases did by the month of the id. */
async function storeElsewhere(month: number, receivedAt: string, count = 1): Promise<void> {
  await sql`
    insert into device_events select ${ids.device.raw(device.deviceId)}, ${month}, ${month} || '15-1200-' || lpad(n::text, 8, 'A'), null, 'Info',
      '0', '{}', ${receivedAt}, ${receivedAt} from generate_series(1, ${count}::int) n`.execute(
    hub.database.db,
  );
}
const rotate = (retentionMonths: number) => hub.run(RotateEventPartitions, { retentionMonths });

test('the upkeep moves events with ids of other times to the month of their receipt, and deletes old ones', async () => {
  await ensureEventPartitions(hub.database.db, hub.now());
  await storeElsewhere(209912, '2026-11-20T11:00:00Z', 2_500);
  await storeElsewhere(202501, '2026-10-31T23:59:59Z', 20);
  await storeElsewhere(202601, '2026-09-30T23:59:59Z', 10);
  await storeElsewhere(202801, '2025-10-31T23:59:59Z', 1_500);
  await rotate(12);
  expect(await places()).toEqual({
    device_events_202610: 20,
    device_events_202611: 2_500,
    device_events_other: 10,
  });
  await publish(209912);
  expect(await places()).toMatchObject({ device_events_202611: 2_500 });
});

test('a month with very many events in the default partition leaves them there, and holds up no other month', async () => {
  await storeElsewhere(202612, '2026-11-20T11:00:00Z', 20_001);
  await ensureEventPartitions(hub.database.db, hub.now());
  const present = ['device_events_202610', 'device_events_202611'];
  expect(await partitions()).toEqual([...present, 'device_events_other']);
  await rotate(12);
  await rotate(12);
  expect(await partitions()).toEqual([...present, 'device_events_202612', 'device_events_other']);
  expect(await places()).toEqual({ device_events_202611: 20_001 });
});

test('a change of partitions that is cancelled, as by a timeout, is left to the next call', async () => {
  const { db } = hub.database;
  const reading = await db.startTransaction().execute();
  await sql`lock table device_events_other in access exclusive mode`.execute(reading);
  let isChanging = true;
  const changing = ensureEventPartitions(db, hub.now(), 60_000).finally(() => (isChanging = false));
  const cancelAll = async () => {
    while (isChanging)
      await sql`
        select pg_cancel_backend(pid) from pg_locks join pg_database d on d.oid = database
          where datname = current_database() and relation = 'device_events_other'::regclass and not granted`.execute(
        reading,
      );
  };
  await Promise.all([changing, cancelAll()]);
  await reading.rollback().execute();
  expect(await partitions()).toEqual(['device_events_other']);
});

test('events that came before their partition move into it, stay unique and go after their device', async () => {
  await publish(202610, 202611);
  await ensureEventPartitions(hub.database.db, hub.now());
  expect(await places()).toEqual({ device_events_202610: 1, device_events_202611: 1 });
  hub.emittedEvents.length = 0;
  await publish(202610, 202611);
  expect(hub.emittedEvents).toEqual([]);
  const project = { deviceId: device.deviceId };
  await hub.as({ actor: 'System', kind: 'System' }, 'devices_DeleteDevice', project);
  await deleteDevicesOfDeletedProjects(hub.executor);
  expect(await places()).toEqual({});
});

test('several nodes may do it at once, while events come in', async () => {
  const { db } = hub.database;
  await Promise.all([
    ...Array.from({ length: 4 }, () => ensureEventPartitions(db, hub.now())),
    ...[202610, 202611, 202612].map((month) => publish(month)),
  ]);
  expect(await partitions()).toHaveLength(4);
});

test('old months are dropped', async () => {
  const { db } = hub.database;
  await ensureEventPartitions(db, hub.now());
  await publish(202610, 202611);
  expect(await dropOldEventPartitions(db, hub.now(), 1)).toEqual([]);
  expect(await places()).toEqual({ device_events_202610: 1, device_events_202611: 1 });
  const inTwoMonths = new Date('2027-01-20T12:00:00Z');
  expect(await dropOldEventPartitions(db, inTwoMonths, 1)).toEqual([
    'device_events_202610',
    'device_events_202611',
  ]);
  expect(await places()).toEqual({});
  expect(await partitions()).toEqual(['device_events_202612', 'device_events_other']);
});

/** Fulfilled when a statement waits for a lock on the table of events. */
const someoneWaits = () =>
  vi.waitFor(async () => {
    const { rows } = await sql`
      select 1 from pg_locks where relation = 'device_events'::regclass and not granted`.execute(
      hub.database.db,
    );
    expect(rows).toHaveLength(1);
  });

test('events that are being published wait for a change of partitions that is held up no more than a moment', async () => {
  const { db } = hub.database;
  await ensureEventPartitions(db, hub.now());
  const reading = await db.startTransaction().execute();
  await sql`select count(*) from device_events`.execute(reading);
  const dropping = dropOldEventPartitions(db, new Date('2027-01-20T12:00:00Z'), 1);
  await someoneWaits();
  const publishing = db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '1s'`.execute(tx);
    await sql`lock table device_events in row exclusive mode`.execute(tx);
  });
  const outcomes = await Promise.allSettled([publishing, dropping]);
  await reading.commit().execute();
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'fulfilled', value: [] },
  ]);
});

test('a long read, as of a backup, holds up a change of partitions but no events', async () => {
  const { db } = hub.database;
  const reading = await db.startTransaction().execute();
  await sql`lock table device_events_other in access share mode`.execute(reading);
  const changing = ensureEventPartitions(db, hub.now(), 200);
  await publish(202611);
  await changing;
  expect(await partitions()).toEqual(['device_events_other']);
  await reading.commit().execute();
  await ensureEventPartitions(db, hub.now());
  expect(await places()).toEqual({ device_events_202611: 1 });
  const again = await db.startTransaction().execute();
  await sql`select count(*) from device_events`.execute(again);
  const inTwoMonths = new Date('2027-01-20T12:00:00Z');
  const dropping = dropOldEventPartitions(db, inTwoMonths, 1, 200);
  await publish(202612);
  expect(await dropping).toEqual([]);
  await again.commit().execute();
  expect(await dropOldEventPartitions(db, inTwoMonths, 1)).toHaveLength(2);
});
