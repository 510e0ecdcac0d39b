import { datedRaw, ids } from '@corral/contract';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { connectDevices } from './connect-devices.ts';
import { prepareDevices } from './devices.ts';
import { load } from './load.ts';
import { openLoad } from './open-load.ts';
import { queriesOfPeople } from './query-load.ts';
import { barLine, leastLine, type Line } from './table.ts';
import type { Testbed } from './testbed.ts';

const fleetSize = 2_000;
const everySecs = 2;
const fleetMs = 20_000;
const busyDevices = 20;
const eventsOfCall = 100;
const busyTiming = { callers: busyDevices, warmUpMs: 5_000, measureMs: 10_000 };
const bars = { queryMs: 100, eventsPerSecond: 5_000 };

/** Events that a bench sends. */
export function newEvents(count: number) {
  const emittedAt = new Date().toISOString();
  return Array.from({ length: count }, (_, index) => ({
    eventId: ids.deviceEvent.of(datedRaw(Date.now(), randomBytes)),
    category: 'bench',
    severity: 'Info' as const,
    body: `measurement ${index}`,
    attributes: { celsius: 20 + (index % 10), source: 'bench' },
    emittedAt,
  }));
}

/** Latency of queries while 2,000 devices send an event every two seconds, the rate of 20 devices that send 100 events a call, and what of all events is lost. */
export async function events(testbed: Testbed): Promise<Line[]> {
  const devices = await prepareDevices(testbed.user, fleetSize);
  const hub = await testbed.restart();
  const before = await storedEvents(testbed.databaseUrl);
  const fleet = await connectDevices(hub.url, devices, fleetSize);
  let accepted = 0;
  const publish = async (index: number, count: number): Promise<void> => {
    const deviceId = devices.deviceIds[index] as never;
    await fleet.clients[index]?.invoke('devices_PublishDeviceEvents', { deviceId, events: newEvents(count) });
    accepted += count;
  };
  const perSecond = fleetSize / everySecs;
  const sending = openLoad((index) => publish(index % fleetSize, 1), {
    perSecond,
    warmUpMs: 0,
    measureMs: fleetMs,
  });
  const [queries] = await Promise.all([queriesOfPeople(testbed, hub, devices, fleetMs), sending]);
  const busy = await load((caller) => publish(caller, eventsOfCall), busyTiming);
  fleet.close();
  const stored = (await storedEvents(testbed.databaseUrl)) - before;
  return [
    barLine({
      what: `${fleetSize} devices send an event every ${everySecs} s: p99 of 200 queries a second (p50 ${queries.p50Ms.toFixed(1)} ms)`,
      unit: 'ms',
      ours: queries.p99Ms,
      bar: bars.queryMs,
    }),
    leastLine({
      what: `${busyDevices} devices send ${eventsOfCall} events a call without a pause`,
      unit: '/s',
      ours: busy.perSecond * eventsOfCall,
      bar: bars.eventsPerSecond,
    }),
    barLine({ what: 'accepted events that are not stored', unit: '', ours: accepted - stored, bar: 0 }),
  ];
}

async function storedEvents(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query('select count(*)::int as stored from device_events');
  await client.end();
  return rows[0].stored as number;
}
