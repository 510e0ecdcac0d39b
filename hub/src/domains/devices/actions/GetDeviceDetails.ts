import { ids, type DeviceCertificateStatus, type Json } from '@corral/contract';
import { sql } from 'kysely';
import { amounts } from '../../../limits/amounts.ts';
import type { Handler } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { quotaSql } from '../../../platform/db/quota-sql.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { notFound } from '../../../auth/actors.ts';
import { expectedByRotation } from '../sql/certificate-rotations.ts';
import { metadataBytes, propertyBytes } from '../sql/device-bytes.ts';

/** Returns a device, for the members of its project and for itself. */
export const GetDeviceDetails: Handler<'devices_GetDeviceDetails', { readonly projectId: string }> = {
  authorize: ({ tx, actor, input }) => mustHaveDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input, now }, { projectId }) {
    const device = await readDevice(tx, ids.device.raw(input.deviceId), now);
    if (device === undefined) throw notFound('Device');
    const live = device.connections.filter(({ isLive }) => isLive);
    return {
      deviceId: input.deviceId,
      projectId: ids.project.of(projectId),
      fingerprintId: ids.deviceFingerprintId.of(device.fingerprintId),
      ...(device.name === null ? {} : { name: device.name }),
      isConnected: live.length > 0,
      metadata: device.metadata,
      usage: device.usage,
      certificates: device.certificates.map(toCertificateOutput),
      connections: live.map((row) => liveOf(row, now)),
      recentConnections: device.connections.map(recentOf),
    };
  },
};

/** Times in rows that the server makes JSON of are ISO 8601 in UTC, with `+00:00`. */
interface CertificateRow {
  readonly certificateId: string;
  readonly status: DeviceCertificateStatus;
  readonly fingerprint: string;
  readonly createdAt: string;
  readonly authorityId: string | null;
  readonly endsAt: string | null;
  readonly isExpected: boolean;
}

interface ConnectionRow {
  readonly connectionId: string;
  readonly nodeId: string;
  readonly address: string | null;
  readonly connectedAt: string;
  readonly endedAt: string | null;
  readonly endReason: 'Unknown' | 'Disconnected' | 'NodeCrashed' | 'ServerShutdown' | null;
  readonly isLive: boolean;
}

interface DeviceRow {
  readonly fingerprintId: string;
  readonly name: string | null;
  readonly metadata: Record<string, Json>;
  readonly usage: {
    /** Of the properties and the metadata. */
    readonly propertyBytes: number;
    readonly maxPropertyBytes: number;
    readonly eventsToday: number;
    readonly maxEventsPerDay: number;
    readonly eventBytesToday: number;
    readonly maxEventBytesPerDay: number;
  };
  /** Newest first. */
  readonly certificates: readonly CertificateRow[];
  /** Of the last 24 hours, newest first: all live ones, and ended ones up to 500 in all. */
  readonly connections: readonly ConnectionRow[];
}

/** Reads a device by its raw id in one statement: its page repeats this query at each event of the device. */
async function readDevice(tx: Database, deviceId: string, now: Date): Promise<DeviceRow | undefined> {
  const { rows } = await sql<DeviceRow>`
    select d.fingerprint_id as "fingerprintId", d.name, d.metadata,
      json_build_object(
        'propertyBytes', ${metadataBytes(deviceId)} + ${propertyBytes(deviceId)},
        'maxPropertyBytes', ${quotaSql('devicePropertyBytes')},
        'eventsToday', coalesce(today.events, 0), 'maxEventsPerDay', ${quotaSql('deviceEventsPerDay')},
        'eventBytesToday', coalesce(today.event_bytes, 0), 'maxEventBytesPerDay', ${quotaSql('deviceEventBytesPerDay')}
      ) as usage,
      (select coalesce(json_agg(c order by c."createdAt" desc, c."certificateId"), '[]') from ${certificatesOf(deviceId, now)} c)
        as certificates,
      (select coalesce(json_agg(c order by c."connectedAt" desc, c."connectionId"), '[]') from ${connectionsOf(deviceId, now)} c)
        as connections
    from devices d left join device_event_days today
      on today.device_id = d.device_id and today.day = ${now.toISOString().slice(0, 10)}::date
    where d.device_id = ${deviceId}`.execute(tx);
  return rows[0];
}

/** Of more than a device may have since there is a limit, those that are active or pending before others. */
const certificatesOf = (deviceId: string, now: Date) => sql`(
  select certificate_id as "certificateId", status, fingerprint, created_at as "createdAt", authority_id as "authorityId", ends_at as "endsAt",
    ${expectedByRotation(now)} as "isExpected"
  from device_certificates c where device_id = ${deviceId}
  order by status = 'Active' desc, status = 'Pending' desc, created_at desc, certificate_id
  limit ${amounts.certificates.max})`;

const recentMs = 86_400_000;
const maxRecent = 500;

const connectionsOf = (deviceId: string, now: Date) => sql`(
  select c.connection_id as "connectionId", c.node_id as "nodeId", c.address, c.connected_at as "connectedAt",
    c.ended_at as "endedAt", c.end_reason as "endReason",
    c.ended_at is null and coalesce(n.lease_until > ${now}, false) as "isLive"
  from device_connections c left join cluster_nodes n using (node_id)
  where c.device_id = ${deviceId} and (c.ended_at is null or c.ended_at > ${new Date(now.getTime() - recentMs)})
  order by "isLive" desc, c.connected_at desc limit ${maxRecent})`;

const rfc3339 = (time: string): string => time.replace('+00:00', 'Z');

function toCertificateOutput(row: CertificateRow) {
  return {
    certificateId: ids.deviceCertificate.of(row.certificateId),
    status: row.status,
    fingerprint: row.fingerprint,
    firstSeen: rfc3339(row.createdAt),
    ...(row.authorityId === null ? {} : { authorityId: ids.certificateAuthority.of(row.authorityId) }),
    ...(row.endsAt === null ? {} : { endsAt: rfc3339(row.endsAt) }),
    ...(row.isExpected ? { isExpected: true } : {}),
  };
}

function connectionOf(row: ConnectionRow) {
  return {
    connectionId: ids.deviceConnection.of(row.connectionId),
    nodeId: ids.clusterNode.of(row.nodeId),
    connectedAt: rfc3339(row.connectedAt),
  };
}

function liveOf(row: ConnectionRow, now: Date) {
  const forMs = now.getTime() - Date.parse(row.connectedAt);
  return {
    ...connectionOf(row),
    connectedForSecs: Math.max(0, Math.floor(forMs / 1000)),
    ...(row.address === null ? {} : { address: row.address }),
  };
}

function recentOf(row: ConnectionRow) {
  return {
    ...connectionOf(row),
    ...(row.endedAt === null ? {} : { endedAt: rfc3339(row.endedAt) }),
    ...(row.endReason === null ? {} : { endReason: row.endReason }),
  };
}
