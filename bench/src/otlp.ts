import { createServer, type Server } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { ids } from '@corral/contract';
import { freePort } from '@corral/tools';
import pg from 'pg';
import { connectDevices } from './connect-devices.ts';
import type { BenchUser } from './bench-hub.ts';
import { prepareDevices, type BenchDevices } from './devices.ts';
import { newEvents } from './events.ts';
import { load } from './load.ts';
import { barLine, leastLine, type Line } from './table.ts';
import type { Testbed } from './testbed.ts';

const devicesThatSend = 20;
const eventsOfCall = 100;
const timing = { callers: devicesThatSend, warmUpMs: 0, measureMs: 20_000 };
const waiting = 600_000;
const hourSecs = 3_600;
const bars = { recordsPerSecond: 5_000, lagSecs: 2, catchUpMinutes: 10 };
/** The rate of the hour without a collector; of such events it makes about 0.5 GiB. */
const rateOfHour = 1_000;

/** A collector that counts records, in the process of the bench. */
interface CountingCollector {
  readonly url: string;
  readonly server: Server;
  received: number;
}

async function collectorOn(port: number): Promise<CountingCollector> {
  const collector = { url: `http://127.0.0.1:${port}/v1/logs`, received: 0 } as CountingCollector;
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const text = gunzipSync(Buffer.concat(pieces)).toString('latin1');
    collector.received += text.split('"timeUnixNano"').length - 1;
    response.setHeader('content-type', 'application/json').end('{}');
  });
  server.listen(port, '127.0.0.1');
  return Object.assign(collector, { server });
}

/** Waits until a collector has so many records; in milliseconds. */
async function msUntil(collector: CountingCollector, records: number): Promise<number> {
  const from = performance.now();
  while (collector.received < records) await new Promise((resolve) => void setTimeout(resolve, 20));
  return performance.now() - from;
}

/** Records of events that arrive at a collector while devices send them without a pause, and how fast those that wait do. */
export async function otlp(testbed: Testbed): Promise<Line[]> {
  const devices = await prepareDevices(testbed.user, devicesThatSend);
  const port = await freePort();
  const hub = await testbed.restart({ CORRAL_PRIVATE_TARGETS: `127.0.0.1:${port}` });
  const live = await whileLive(testbed.user, hub.url, { devices, port });
  const backlog = await afterAnHour(testbed, devices.deviceIds, port);
  const { executor, projectId } = testbed.user;
  await executor.invoke('projects_SetOtlpConfig', { projectId, config: { enabled: false, headers: {} } });
  return [...live, ...backlog];
}

async function whileLive(
  { executor, projectId }: BenchUser,
  hubUrl: string,
  { devices, port }: { readonly devices: BenchDevices; readonly port: number },
): Promise<Line[]> {
  const collector = await collectorOn(port);
  const config = { enabled: true, endpoint: collector.url, headers: {} };
  await executor.invoke('projects_SetOtlpConfig', { projectId, config });
  const fleet = await connectDevices(hubUrl, devices, devicesThatSend);
  let published = 0;
  const publish = async (index: number): Promise<void> => {
    const deviceId = devices.deviceIds[index] as never;
    await fleet.clients[index]?.invoke('devices_PublishDeviceEvents', {
      deviceId,
      events: newEvents(eventsOfCall),
    });
    published += eventsOfCall;
  };
  await load(publish, timing);
  const meanwhile = collector.received;
  const restMs = await msUntil(collector, published);
  fleet.close();
  collector.server.close();
  collector.server.closeAllConnections();
  const seconds = timing.measureMs / 1000;
  return [
    leastLine({
      what: `${devicesThatSend} devices send ${eventsOfCall} events a call without a pause, ${Math.round(published / seconds)} a second: exported meanwhile`,
      unit: '/s',
      ours: meanwhile / seconds,
      bar: bars.recordsPerSecond,
    }),
    barLine({
      what: 'the last is exported after they stop',
      unit: 's',
      ours: restMs / 1000,
      bar: bars.lagSecs,
    }),
  ];
}

async function afterAnHour(
  { user: { executor, projectId }, databaseUrl }: Testbed,
  deviceIds: readonly string[],
  port: number,
): Promise<Line[]> {
  await addWaiting(databaseUrl, projectId, deviceIds);
  const collector = await collectorOn(port);
  const config = { enabled: true, endpoint: collector.url, headers: {} };
  // Tries at once.
  await executor.invoke('projects_SetOtlpConfig', { projectId, config });
  const perSecond = waiting / ((await msUntil(collector, waiting)) / 1000);
  collector.server.close();
  collector.server.closeAllConnections();
  return [
    leastLine({
      what: `${waiting} records that wait are exported`,
      unit: '/s',
      ours: perSecond,
      bar: bars.recordsPerSecond,
    }),
    barLine({
      what: `so after an hour without a collector at ${rateOfHour} events a second, which go on, it has all`,
      unit: 'min',
      ours: (rateOfHour * hourSecs) / Math.max(1, perSecond - rateOfHour) / 60,
      bar: bars.catchUpMinutes,
    }),
  ];
}

/** Adds events as an hour without a collector leaves them. */
async function addWaiting(
  databaseUrl: string,
  projectId: string,
  deviceIds: readonly string[],
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const raw = deviceIds.map((id) => ids.device.raw(id as never));
  for (let from = 0; from < waiting; from += 2_000)
    await client.query(
      `insert into device_events (device_id, event_month, event_id, category, severity, body, attributes, emitted_at, received_at, export_project, export_position)
       select ($1::text[])[1 + n % cardinality($1)], to_char(now(), 'YYYYMM')::int, 'wait' || n, 'bench', 'Info', to_jsonb('measurement ' || n), '{"celsius": 21, "source": "bench"}', now(), now(), $2, audit_position()
       from generate_series($3::int, $4::int) as n`,
      [raw, ids.project.raw(projectId as never), from, from + 1_999],
    );
  await client.end();
}
