import { ids, deviceQuotas } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { quotaSql } from '../../../platform/db/quota-sql.ts';
import { mustHaveDeviceAccess } from '../../projects/index.ts';
import { notFound } from '../../../auth/actors.ts';
import { metadataBytes, propertyBytes } from '../sql/device-bytes.ts';
import { readCertificates, readRecentConnections, readDevice } from '../sql/device-details.ts';

/** Returns a device, for the members of its project and for itself. */
export const GetDeviceDetails: Handler<'devices_GetDeviceDetails', { readonly projectId: string }> = {
  authorize: ({ tx, actor, input }) => mustHaveDeviceAccess(tx, actor, input.deviceId),

  async run({ tx, input, now }, { projectId }) {
    const rawId = ids.device.raw(input.deviceId);
    const device = await readDevice(tx, rawId, now);
    if (device === undefined) throw notFound('Device');
    const certificates = await readCertificates(tx, rawId);
    const connections = await readRecentConnections(tx, rawId, now);
    return {
      deviceId: input.deviceId,
      projectId: ids.project.of(projectId),
      fingerprintId: ids.deviceFingerprintId.of(device.fingerprint_id),
      ...(device.name === null ? {} : { name: device.name }),
      isConnected: device.is_connected,
      metadata: device.metadata,
      usage: await readDeviceUsage(tx, rawId, now),
      certificates: certificates.map(toCertificateOutput),
      connections: connections.filter((row) => row.is_live).map((row) => liveOf(row, now)),
      recentConnections: connections.map(recentOf),
    };
  },
};

type CertificateRow = Awaited<ReturnType<typeof readCertificates>>[number];
type ConnectionRow = Awaited<ReturnType<typeof readRecentConnections>>[number];

function toCertificateOutput(row: CertificateRow) {
  return {
    certificateId: ids.deviceCertificate.of(row.certificate_id),
    status: row.status,
    fingerprint: row.fingerprint,
    firstSeen: row.created_at,
  };
}

function connectionOf(row: ConnectionRow) {
  return {
    connectionId: ids.deviceConnection.of(row.connection_id),
    nodeId: ids.clusterNode.of(row.node_id),
    connectedAt: row.connected_at,
  };
}

function liveOf(row: ConnectionRow, now: Date) {
  const forMs = now.getTime() - Date.parse(row.connected_at);
  return {
    ...connectionOf(row),
    connectedForSecs: Math.max(0, Math.floor(forMs / 1000)),
    ...(row.address === null ? {} : { address: row.address }),
  };
}

function recentOf(row: ConnectionRow) {
  return {
    ...connectionOf(row),
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
    ...(row.end_reason === null ? {} : { endReason: row.end_reason }),
  };
}

/** What a device has stored, and its quotas. */
interface DeviceUsage {
  /** Of the properties and the metadata. */
  readonly propertyBytes: number;
  readonly maxPropertyBytes: number;
  readonly eventsToday: number;
  readonly maxEventsPerDay: number;
  readonly eventBytesToday: number;
  readonly maxEventBytesPerDay: number;
}

const none: DeviceUsage = {
  propertyBytes: 0,
  maxPropertyBytes: deviceQuotas.devicePropertyBytes,
  eventsToday: 0,
  maxEventsPerDay: deviceQuotas.deviceEventsPerDay,
  eventBytesToday: 0,
  maxEventBytesPerDay: deviceQuotas.deviceEventBytesPerDay,
};

/** Reads what a device has stored, by its raw id. */
async function readDeviceUsage(tx: Database, deviceId: string, now: Date): Promise<DeviceUsage> {
  const today = sql`device_event_days where device_id = ${deviceId} and day = ${now.toISOString().slice(0, 10)}::date`;
  const { rows } = await sql<DeviceUsage>`
    select ${metadataBytes(deviceId)} + ${propertyBytes(deviceId)} as "propertyBytes",
      ${quotaSql('devicePropertyBytes')} as "maxPropertyBytes",
      coalesce((select events from ${today}), 0) as "eventsToday",
      ${quotaSql('deviceEventsPerDay')} as "maxEventsPerDay",
      coalesce((select event_bytes from ${today}), 0) as "eventBytesToday",
      ${quotaSql('deviceEventBytesPerDay')} as "maxEventBytesPerDay"`.execute(tx);
  return rows[0] ?? none;
}
