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
  instance_GetInstanceStatistics: () => ({ users: 42, projects: 7, devices: 1240 }),
  cluster_GetClusterDetails: () => ({ nodes: [clusterNode(1, 'quay')] }),
};

/** A node of the cluster. */
export const clusterNode = (number: 1 | 2, name: string) => ({
  nodeId: `cluster_node_${number}` as const,
  name,
  joinedAt: '2026-11-01T10:00:00Z',
  uptimeSecs: 60 * number,
  lastHeartbeat: '2026-11-01T10:01:00Z',
});
