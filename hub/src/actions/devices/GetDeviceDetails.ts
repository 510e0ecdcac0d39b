import { ids } from '@corral/contract';
import type { Handler } from '../../executor/handler.ts';
import { notFound } from '../../policy/actors.ts';
import { requireDeviceAccess } from '../../policy/projects.ts';
import { readDeviceUsage } from '../../store/device-usage.ts';
import { readCertificates, readRecentConnections, readDevice } from '../../store/device-details.ts';

/** Returns a device, for the members of its project and for itself. */
export const GetDeviceDetails: Handler<'devices_GetDeviceDetails', { readonly projectId: string }> = {
  authorize: ({ tx, actor, input }) => requireDeviceAccess(tx, actor, input.deviceId),

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
