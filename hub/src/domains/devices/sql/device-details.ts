import type { DeviceCertificateStatus, Json } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { amounts } from '../../../limits/amounts.ts';
import { liveConnection } from './presence.ts';

interface DeviceRow {
  readonly fingerprint_id: string;
  readonly name: string | null;
  readonly metadata: Record<string, Json>;
  readonly is_connected: boolean;
}

/** Reads a device by its raw id, with its presence. */
export async function readDevice(tx: Database, deviceId: string, now: Date): Promise<DeviceRow | undefined> {
  const { rows } = await sql<DeviceRow>`
    select fingerprint_id, name, metadata, ${liveConnection(now)} as is_connected
    from devices d where device_id = ${deviceId}`.execute(tx);
  return rows[0];
}

interface CertificateRow {
  readonly certificate_id: string;
  readonly status: DeviceCertificateStatus;
  readonly fingerprint: string;
  readonly created_at: string;
}

/** Reads the certificates of a device, newest first; of more than it may have since there is a limit, those that are active or pending before others. */
export async function readCertificates(tx: Database, deviceId: string): Promise<CertificateRow[]> {
  const { rows } = await sql<CertificateRow>`
    select * from (
      select certificate_id, status, fingerprint, created_at from device_certificates where device_id = ${deviceId}
      order by status = 'Active' desc, status = 'Pending' desc, created_at desc, certificate_id limit ${amounts.certificates.max}
    ) as shown order by created_at desc, certificate_id`.execute(tx);
  return rows;
}

interface ConnectionRow {
  readonly connection_id: string;
  readonly node_id: string;
  readonly address: string | null;
  readonly connected_at: string;
  readonly ended_at: string | null;
  readonly end_reason: 'Unknown' | 'Disconnected' | 'NodeCrashed' | 'ServerShutdown' | null;
  readonly is_live: boolean;
}

const recentMs = 86_400_000;
const maxRecent = 500;

/** Reads the connections of a device in the last 24 hours, newest first: all live ones, and ended ones up to 500 in all. */
export async function readRecentConnections(
  tx: Database,
  deviceId: string,
  now: Date,
): Promise<ConnectionRow[]> {
  const { rows } = await sql<ConnectionRow>`
    select * from (
      select c.connection_id, c.node_id, c.address, c.connected_at, c.ended_at, c.end_reason,
        c.ended_at is null and coalesce(n.lease_until > ${now}, false) as is_live
      from device_connections c left join cluster_nodes n using (node_id)
      where c.device_id = ${deviceId} and (c.ended_at is null or c.ended_at > ${new Date(now.getTime() - recentMs)})
      order by is_live desc, c.connected_at desc limit ${maxRecent}
    ) as recent order by connected_at desc, connection_id`.execute(tx);
  return rows;
}
