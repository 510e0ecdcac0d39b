import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';
import { amounts } from '../limits/amounts.ts';

const labelAlphabet = 'abcdefghijklmnopqrstuvwxyz234567';
const labelSymbols = 26;

/** A port of a device, by the raw id of the device. */
export interface DevicePort {
  readonly deviceId: string;
  readonly port: number;
}

/** The permanent label of the host name of a device's port: 130 random bits, created on first use. */
export async function permanentLabel(
  tx: Database,
  { deviceId, port }: DevicePort,
  now: Date,
): Promise<string> {
  const { rows } = await sql<{ label: string }>`
    insert into device_proxy_hosts (label, device_id, port, is_chosen, created_at)
      values (${randomLabel()}, ${deviceId}, ${port}, false, ${now})
      on conflict (device_id, port) where not is_chosen do update set port = excluded.port
      returning label`.execute(tx);
  if (rows[0] === undefined) throw new Error('A host name could not be kept.');
  return rows[0].label;
}

/** Assigns a chosen label to a port of a device; false if another port has or had the label, or the device already has 32. */
export async function assignLabel(
  tx: Database,
  { deviceId, port }: DevicePort,
  label: string,
  now: Date,
): Promise<boolean> {
  await sql`
    insert into device_proxy_hosts (label, device_id, port, is_chosen, created_at)
      select ${label}, ${deviceId}, ${port}, true, ${now}
      where (select count(*) from device_proxy_hosts where device_id = ${deviceId} and is_chosen) < ${amounts.proxyHosts.max}
      on conflict (label) do nothing`.execute(tx);
  const { rows } = await sql`
    select 1 from device_proxy_hosts where label = ${label} and device_id = ${deviceId} and port = ${port}`.execute(
    tx,
  );
  return rows.length > 0;
}

function randomLabel(): string {
  return Array.from({ length: labelSymbols }, () => labelAlphabet[randomInt(labelAlphabet.length)]).join('');
}
