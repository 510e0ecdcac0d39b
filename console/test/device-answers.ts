import type { AnswerTable } from '@corral/client';
import type { DeviceEvent, Output } from '@corral/contract';
import { crane, projectAnswers, projectId } from './project-answers.ts';

/** The id of the crane's pending certificate. */
export const pendingId = 'd_c_9fKqW2x9RvHy8cBq1sw7Fd';
/** The id of the crane's active certificate. */
const activeId = 'd_c_9fKqW2x9RvHy8cBq1sw7Fe';
/** The node that holds the crane's connection. */
export const nodeId = 'cluster_node_9fKqW2x9RvHy8cBq1sw7Fd';
/** The fingerprint of the crane's pending certificate. */
export const fingerprint = Array.from({ length: 32 }, () => 'CD').join(':');

/** The crane with metadata, certificates and a connection. */
export const details: Output<'devices_GetDeviceDetails'> = {
  deviceId: crane,
  projectId,
  fingerprintId: 'd_pk_9fKqW2x9RvHy8cBq1sw7Fd',
  name: 'crane-04',
  isConnected: true,
  metadata: { site: 'north quay', limits: { load: 42000 } },
  certificates: [
    {
      certificateId: pendingId,
      status: 'Pending',
      fingerprint,
      firstSeen: '2026-10-02T10:00:00Z',
      isExpected: true,
    },
    {
      certificateId: activeId,
      status: 'Active',
      fingerprint: fingerprint.replaceAll('CD', 'AB'),
      firstSeen: '2026-10-01T10:00:00Z',
    },
  ],
  connections: [
    {
      connectionId: 'd_conn_9fKqW2x9RvHy8cBq1sw7Fd',
      nodeId,
      connectedAt: '2026-10-02T10:00:00Z',
      connectedForSecs: 49_140,
    },
  ],
  recentConnections: [],
};

/** An event of the crane. */
export function event(number: number, more: Partial<DeviceEvent> = {}): DeviceEvent {
  return {
    eventId: `d_ev_20261002-1000-aaaaaaa${number}`,
    severity: 'Info',
    body: `message ${number}`,
    attributes: { celsius: number },
    category: 'brake',
    emittedAt: '2026-10-02T10:00:00Z',
    ...more,
  } as DeviceEvent;
}

/** The answers that the page of the crane needs. */
export const answers: AnswerTable = {
  ...projectAnswers,
  devices_GetDeviceDetails: () => details,
  devices_QueryDeviceEvents: () => ({ events: [event(1), event(2, { severity: 'Error' })] }),
  devices_QueryDeviceProperties: () => ({ properties: {} }),
  devices_QueryConnections: () => ({ connections: [] }),
  cluster_GetClusterDetails: () => ({
    nodes: [
      {
        nodeId,
        name: 'hub-1',
        uptimeSecs: 1,
        joinedAt: '2026-10-02T10:00:00Z',
        lastHeartbeat: '2026-10-02T10:00:00Z',
      },
    ],
  }),
};
