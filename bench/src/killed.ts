import { ids } from '@corral/contract';
import pg from 'pg';
import { connectDevices } from './connect-devices.ts';
import { prepareDevices, type BenchDevices } from './devices.ts';
import { newEvents } from './events.ts';
import { httpCaller } from './http-caller.ts';
import { sleep } from './processes.ts';
import { barLine, type Line } from './table.ts';
import type { Testbed } from './testbed.ts';

const kills = 20;
const devicesCount = 16;
const loadMs = 700;

/** What the hub has acknowledged. */
interface Acknowledged {
  readonly events: Set<string>;
  /** The last name of each device that was acknowledged, and those that were sent after it. */
  readonly names: Map<number, readonly string[]>;
}

/** Acknowledged events and names of devices that are lost when the hub is killed under load, 20 times. */
export async function killed(testbed: Testbed): Promise<Line[]> {
  const devices = await prepareDevices(testbed.user, devicesCount);
  const acknowledged: Acknowledged = { events: new Set(), names: new Map() };
  for (let round = 0; round < kills; round += 1) {
    const hub = await testbed.restart();
    const connected = await connectDevices(hub.url, devices, devicesCount);
    const caller = httpCaller(hub.url, { authorization: `Bearer ${testbed.user.token}` }, devicesCount);
    let isAlive = true;
    const untilKilled = async (write: () => Promise<void>): Promise<void> => {
      // What fails was not acknowledged.
      while (isAlive) await write().catch(() => sleep(1));
    };
    const writers = connected.clients.flatMap((client, index) => [
      untilKilled(async () => {
        const sent = newEvents(3);
        const deviceId = devices.deviceIds[index] as never;
        await client.invoke('devices_PublishDeviceEvents', { deviceId, events: sent });
        for (const { eventId } of sent) acknowledged.events.add(ids.deviceEvent.raw(eventId));
      }),
      untilKilled(async () => {
        const name = `round-${round}-${performance.now()}`;
        acknowledged.names.set(index, [...(acknowledged.names.get(index) ?? []), name]);
        await caller.post('/api/v1/actions/invoke/devices_SetDeviceName', {
          deviceId: devices.deviceIds[index],
          name,
        });
        acknowledged.names.set(index, [name]);
      }),
    ]);
    await sleep(loadMs);
    process.kill(hub.program.pid, 'SIGKILL');
    await hub.program.waitForExit().catch(() => undefined);
    isAlive = false;
    connected.close();
    caller.close();
    await Promise.all(writers);
  }
  await testbed.restart();
  const lost = await lostWrites(testbed.databaseUrl, devices, acknowledged);
  const written = acknowledged.events.size.toLocaleString('en-GB');
  return [
    barLine({
      what: `the hub is killed under load, ${kills} times: acknowledged writes that are lost (of ${written} events and the names of ${devicesCount} devices)`,
      unit: '',
      ours: lost,
      bar: 0,
    }),
  ];
}

async function lostWrites(
  databaseUrl: string,
  devices: BenchDevices,
  { events, names }: Acknowledged,
): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const rawIds = devices.deviceIds.map((deviceId) => ids.device.raw(deviceId));
    const stored = await client.query('select event_id from device_events where device_id = any($1)', [
      rawIds,
    ]);
    const kept = new Set(stored.rows.map(({ event_id }) => event_id as string));
    const named = await client.query('select device_id, name from devices where device_id = any($1)', [
      rawIds,
    ]);
    const nameOf = new Map(named.rows.map(({ device_id, name }) => [device_id as string, name as string]));
    const lostNames = [...names].filter(([index, possible]) => {
      return !possible.includes(nameOf.get(rawIds[index] ?? '') ?? '');
    });
    return [...events].filter((id) => !kept.has(id)).length + lostNames.length;
  } finally {
    await client.end();
  }
}
