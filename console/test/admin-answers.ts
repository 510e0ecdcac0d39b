import type { AnswerTable } from '@corral/client';
import { signedIn, userId } from './render-console.tsx';

/** The answers to a signed-in administrator. */
export const adminAnswers: AnswerTable = {
  ...signedIn,
  users_GetUserDetails: () => ({
    userId,
    email: 'mara@harbour.example',
    displayName: 'Mara Keller',
    isAdmin: true,
  }),
  instance_GetInstanceStatistics: () => ({
    users: 42,
    projects: 7,
    devices: 1240,
    connectedDevices: 1100,
    storage: { assets: 3 * 2 ** 30, events: 2 ** 30, auditLog: 2 ** 20, otherRows: 0 },
  }),
  instance_QueryHistory: () => ({
    from: '2026-11-15T10:00:00Z',
    stepSeconds: 3600,
    watched: [1, 0, 1],
    gaps: [],
    connected: [1150, null, 1100],
    connectedLow: [1100, null, 1100],
    connectedHigh: [1150, null, 1150],
    disconnected: [45, null, 100],
    waiting: [5, null, 40],
    events: { Trace: [], Debug: [], Info: [], Warning: [], Error: [], Critical: [] },
    users: [40, null, 42],
    projects: [7, null, 7],
    storedBytes: [2 ** 30, null, 2 * 2 ** 30],
    nodes: [
      {
        name: 'quay',
        connections: [8, null, 12],
        memoryBytes: [2 ** 28, null, 2 ** 28],
        load: [1, null, 2],
      },
    ],
  }),
  jobs_SummarizeFailures: () => ({ types: [] }),
  users_QueryWaitingMails: () => ({ mails: [] }),
  users_GetProvider: () => ({
    callbackUrl: 'https://hub.example/api/private/login/callback',
    logoutUrl: 'https://hub.example/api/private/logout/provider',
    linkedCount: 0,
    linked: [],
  }),
  audit_GetSealState: () => ({ seals: 3 }),
  cluster_GetClusterDetails: () => ({ nodes: [clusterNode(1, 'quay')] }),
  users_QueryRegistrations: () => ({ registrations: [] }),
  users_QueryUsers: () => ({ users: [listedUser(1, 'ann')] }),
  users_CountUsers: () => ({ users: 2, administrators: 1, disabled: 0 }),
  users_GetUserDeletion: () => noDeletion,
  audit_QueryAuditLogEvents: () => ({ events: [] }),
  audit_QueryAuditLogActions: () => ({ actions: [] }),
  audit_CountAuditLogActions: () => ({ pending: 0, failed: 2, rejected: 1, panicked: 0 }),
  jobs_QueryJobs: () => ({ jobs: [] }),
  jobs_CountJobs: () => ({ pending: 1, completed: 40, failed: 2, expired: 0, cancelled: 0 }),
};

/** A user in the list. */
export const listedUser = (number: number, name: string) => ({
  userId: `u_${number}` as const,
  email: `${name}@harbour.example`,
  displayName: name,
  isAdmin: false,
  isDisabled: false,
  hasPassword: true,
  createdAt: '2026-11-01T10:00:00Z',
});

/** What goes with a user that has nothing. */
export const noDeletion = {
  projects: [],
  projectCount: 0,
  repositories: [],
  repositoryCount: 0,
  membershipCount: 0,
  tokenCount: 0,
  sessionCount: 0,
};

/** A command of the log. */
export const loggedAction = (number: 1 | 2, action: string) =>
  ({
    actionId: `audit_act_20261101-1000-aaaaaaa${number}`,
    actor: { actor: 'System', kind: 'System' },
    action,
    data: {},
    status: number === 1 ? 'Failed' : 'Succeeded',
    createdAt: '2026-11-01T10:00:00Z',
  }) as const;

/** A background job. */
export const listedJob = (number: 1 | 2, job: string, status: 'Failed' | 'Pending' | 'Completed') =>
  ({
    jobId: `job_20261101-1000-aaaaaaa${number}`,
    job,
    status,
    queued: status === 'Pending',
    attempts: number,
    retryDelay: 60,
    timeout: 1800,
    createdAt: `2026-11-0${number}T10:00:00Z`,
    ...(status === 'Failed' ? { error: 'The disk is full.' } : {}),
  }) as const;

/** A node of the cluster. */
export const clusterNode = (number: 1 | 2, name: string) => ({
  nodeId: `cluster_node_${number}` as const,
  name,
  joinedAt: '2026-11-01T10:00:00Z',
  uptimeSecs: 60 * number,
  lastHeartbeat: '2026-11-01T10:01:00Z',
  version: '0.1.0',
  connections: 10 * number,
  load: 1.7 * number,
  cores: 4,
  memoryBytes: 2 ** 28,
  machineMemoryBytes: 2 ** 34,
});
