import { datedRaw, ids } from '@corral/contract';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { BenchHub, BenchUser } from './bench-hub.ts';
import { openRpc } from './device-link.ts';
import { prepareDevices } from './devices.ts';
import { loadInTurns } from './load.ts';
import { line, type Line } from './table.ts';

/** How many devices send at once, how many events a call has, and the share of the anchor that is wanted. */
interface Kind {
  readonly devices: number;
  readonly batch: number;
  readonly atLeast?: number;
}

/** Eight devices show what a call costs alone; of a fleet, many send at once. */
const kinds: readonly Kind[] = [
  { devices: 8, batch: 1 },
  { devices: 128, batch: 1, atLeast: 0.7 },
  { devices: 8, batch: 100, atLeast: 0.5 },
];
const timing = { warmUpMs: 10_000, measureMs: 8_000 };
/** On two cores sixteen connections insert more rows a second than eight; more were not tried. */
const mostConnections = 16;

function newEvents(batch: number) {
  const emittedAt = new Date().toISOString();
  return Array.from({ length: batch }, (_, index) => ({
    eventId: ids.deviceEvent.of(datedRaw(Date.now(), randomBytes)),
    category: 'bench',
    severity: 'Info' as const,
    body: `measurement ${index}`,
    attributes: { celsius: 20 + (index % 10), source: 'bench' },
    emittedAt,
  }));
}

/** Device events stored per second, many and one a call, compared with prepared INSERTs of the same rows. */
export async function ingest(hub: BenchHub, user: BenchUser, databaseUrl: string): Promise<Line[]> {
  const devices = await prepareDevices(user, Math.max(...kinds.map((kind) => kind.devices)));
  const deviceId = ids.device.raw(devices.deviceIds[0] ?? 'd_');
  const lines: Line[] = [];
  for (const kind of kinds) {
    const ours = await openDevices(hub, devices, kind);
    const anchor = openInserts(databaseUrl, deviceId, kind);
    const figures = await loadInTurns(
      { ours: ours.store, anchor: anchor.store },
      { ...timing, callers: kind.devices },
    );
    for (const one of [ours, anchor]) await one.close();
    const what = `device events stored (${kind.devices} devices, ${kind.batch} a call)`;
    const anchorName = `prepared INSERT of ${kind.batch === 1 ? 'one row' : 'the same rows'}`;
    const { atLeast } = kind;
    lines.push(
      line(
        {
          what,
          unit: '/s',
          ours: figures.ours.perSecond * kind.batch,
          anchor: figures.anchor.perSecond * kind.batch,
          anchorName,
        },
        atLeast === undefined ? {} : { atLeast },
      ),
    );
  }
  return lines;
}

async function openDevices(
  hub: BenchHub,
  devices: Awaited<ReturnType<typeof prepareDevices>>,
  { devices: callers, batch }: Kind,
) {
  const links = await Promise.all(
    devices.fingerprints.slice(0, callers).map((fingerprint) =>
      openRpc(hub.url, {
        authorization: `Bearer ${devices.token}`,
        'x-deployment-token': devices.token,
        'x-device-fingerprint': fingerprint,
        'x-register-connection': 'true',
        'x-client-cert': devices.certificateHeader,
      }),
    ),
  );
  const clients = await Promise.all(links.map((link) => link.newClient()));
  return {
    store: async (index: number) =>
      clients[index]?.invoke('devices_PublishDeviceEvents', {
        deviceId: devices.deviceIds[index],
        events: newEvents(batch),
      }),
    async close() {
      for (const link of links) link.close();
    },
  };
}

const columns =
  '(device_id, event_month, event_id, category, severity, body, attributes, emitted_at, received_at)';
const rowOfParameters = (_: unknown, row: number): string =>
  `(${Array.from({ length: 9 }, (_column, column) => `$${row * 9 + column + 1}`).join(', ')})`;

function openInserts(databaseUrl: string, deviceId: string, { devices: callers, batch }: Kind) {
  const values = Array.from({ length: batch }, rowOfParameters).join(', ');
  const text = `insert into device_events ${columns} values ${values}`;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: Math.min(callers, mostConnections) });
  const store = (): Promise<unknown> => {
    const now = new Date();
    const rows = newEvents(batch).map(({ eventId, category, severity, body, attributes, emittedAt }) => {
      const rawId = ids.deviceEvent.raw(eventId);
      const month = Number(rawId.slice(0, 6));
      return [
        deviceId,
        month,
        rawId,
        category,
        severity,
        JSON.stringify(body),
        JSON.stringify(attributes),
        emittedAt,
        now,
      ];
    });
    return pool.query({ name: `insert ${batch}`, text, values: rows.flat() });
  };
  return { store, close: () => pool.end() };
}
