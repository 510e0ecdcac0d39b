import { datedRaw, ids } from '@corral/contract';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { BenchHub, BenchUser } from './bench-hub.ts';
import { openRpc } from './device-link.ts';
import { prepareDevices } from './devices.ts';
import { load } from './load.ts';
import { line, type Line } from './table.ts';

/** How many events a call has, and the share of the anchor that is wanted. */
const kinds = [
  { batch: 1, atLeast: 0.7 },
  { batch: 100, atLeast: 0.5 },
] as const;
const timing = { callers: 8, warmUpMs: 10_000, measureMs: 8_000 };

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
  const devices = await prepareDevices(user, timing.callers);
  const lines: Line[] = [];
  for (const { batch, atLeast } of kinds) {
    const ours = await throughDevices(hub, devices, batch);
    const anchor = await throughInserts(databaseUrl, ids.device.raw(devices.deviceIds[0] ?? 'd_'), batch);
    const what = `device events stored (${batch} a call)`;
    const anchorName = `prepared INSERT of ${batch === 1 ? 'one row' : 'the same rows'}`;
    lines.push(line({ what, unit: '/s', ours, anchor, anchorName }, { atLeast }));
  }
  return lines;
}

async function throughDevices(
  hub: BenchHub,
  devices: Awaited<ReturnType<typeof prepareDevices>>,
  batch: number,
): Promise<number> {
  const links = await Promise.all(
    devices.fingerprints.map((fingerprint) =>
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
  const publish = (index: number): Promise<unknown> | undefined =>
    clients[index]?.invoke('devices_PublishDeviceEvents', {
      deviceId: devices.deviceIds[index],
      events: newEvents(batch),
    });
  const { perSecond } = await load(async (index) => publish(index), timing);
  for (const link of links) link.close();
  return perSecond * batch;
}

const columns =
  '(device_id, event_month, event_id, category, severity, body, attributes, emitted_at, received_at)';
const rowOfParameters = (_: unknown, row: number): string =>
  `(${Array.from({ length: 9 }, (_column, column) => `$${row * 9 + column + 1}`).join(', ')})`;

async function throughInserts(databaseUrl: string, deviceId: string, batch: number): Promise<number> {
  const values = Array.from({ length: batch }, rowOfParameters).join(', ');
  const text = `insert into device_events ${columns} values ${values}`;
  const pool = new pg.Pool({ connectionString: databaseUrl, max: timing.callers });
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
  const { perSecond } = await load(store, timing);
  await pool.end();
  return perSecond * batch;
}
