import type { AnswerTable } from '@corral/client';
import type { Output } from '@corral/contract';
import { signedIn, userId } from './render-console.tsx';

/** The project in `projectAnswers`. */
export const projectId = 'p_7KqW2x9RvHy8cBq1sw7Fd4';
/** A device that is connected and has a name. */
export const crane = 'd_9fKqW2x9RvHy8cBq1sw7Fd';
/** A device that is disconnected and has pending certificates. */
export const gate = 'd_3vPxW2x9RvHy8cBq1sw7Fe';
/** A device that is connected and has no name. */
export const nameless = 'd_X8dnW2x9RvHy8cBq1sw7Ff';

/** The device list in `projectAnswers`. */
export const devices: Output<'projects_QueryProjectDevices'>['devices'] = [
  {
    deviceId: crane,
    name: 'crane-04',
    firstSeen: '2026-10-02T10:00:00Z',
    isConnected: true,
    pendingCertificatesCount: 0,
  },
  {
    deviceId: gate,
    name: 'north-gate',
    firstSeen: '2026-10-01T10:00:00Z',
    isConnected: false,
    pendingCertificatesCount: 2,
  },
  {
    deviceId: nameless,
    firstSeen: '2026-09-30T10:00:00Z',
    isConnected: true,
    pendingCertificatesCount: 0,
  },
];

/** The answers that every page of a project needs. */
export const projectAnswers: AnswerTable = {
  ...signedIn,
  projects_GetCertificatePolicy: () => ({
    isDemanded: false,
    validForDays: 30,
    authorities: [],
    devicesWithIssued: 0,
    devicesWithout: 3,
  }),
  projects_GetProjectDetails: () => ({
    projectId,
    name: 'Harbour cranes',
    deviceCount: 3,
    deploymentTokenCount: 2,
    memberCount: 1,
    isOwner: true,
  }),
  projects_QueryProjectDevices: () => ({ devices }),
  projects_CountProjectDevices: () => ({ count: 0, isAll: true }),
  projects_CountFilteredDevices: ({ filters }) => ({
    counts: filters.map(() => ({ count: 0, isAll: true })),
  }),
  projects_GetDeviceLabels: () => ({ labels: [] }),
  projects_QuerySavedViews: () => ({ views: [] }),
  projects_QueryFilterFields: () => ({ names: [] }),
  projects_QueryProjectServiceAccounts: () => ({ serviceAccounts: [] }),
  projects_QueryProjectMembers: () => ({
    users: [{ userId, displayName: 'Mara Keller', email: 'mara@harbour.example', isOwner: true }],
  }),
  projects_QueryProjectInvitations: () => ({ invitations: [] }),
  cluster_GetClusterDetails: () => ({ nodes: [] }),
};
