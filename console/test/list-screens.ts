import type { AuditLogEvent } from '@corral/contract';
import { adminAnswers, clusterNode, listedJob, listedUser, loggedAction } from './admin-answers.ts';
import { crane, devices, gate, projectAnswers, projectId } from './project-answers.ts';
import { type ListScreen, removalOf } from './list-screen.ts';
import { repositoryListScreens } from './repository-list-screens.ts';
import { signedIn, userId } from './render-console.tsx';

const token = (number: 1 | 2, name: string) => ({
  tokenId: `deployment_id_${number}` as const,
  name,
  createdAt: `2026-10-0${number}T10:00:00Z`,
  enrolledDevices: number,
  flags: { autoAccept: false },
});
const userToken = (number: 1 | 2, name: string) => ({
  tokenId: `u_pk_${number}` as const,
  name,
  createdAt: '2026-11-01T10:00:00Z',
});
const session = (number: 1 | 2, userAgent: string) => ({
  sessionId: `u_session_pk_${number}` as const,
  userAgent,
  createdAt: '2026-11-01T10:00:00Z',
  expiresAt: '2026-12-01T10:00:00Z',
});
const entry = (number: 1 | 2, event: string) =>
  ({
    eventId: `audit_ev_20261002-1000-aaaaaaa${number}`,
    actor: { actor: 'System', kind: 'System' },
    event,
    data: {},
    createdAt: '2026-11-01T10:00:00Z',
  }) as unknown as AuditLogEvent;

const linkedRow = (number: 1 | 2, name: string) => ({
  repositoryId: `repo_${number}`,
  name,
  displayName: name,
  publicName: name,
  visibility: 'Private',
  packageCount: number,
  linkedAt: '2026-11-01T10:00:00Z',
});

const member = (number: 1 | 2, displayName: string, isOwner: boolean) => ({
  userId: `u_${number}`,
  displayName,
  email: `${displayName}@harbour.example`,
  isOwner,
});
const received = (number: 1 | 2, name: string) => ({
  invitationId: `p_invite_${number}`,
  project: { projectId: `p_${number}`, name },
  invitedBy: { displayName: 'Jon', email: 'jon@harbour.example' },
  createdAt: `2026-11-0${3 - number}T10:00:00Z`,
  expiresAt: '2026-12-01T10:00:00Z',
});

/** The list screens of the console. */
export const listScreens: readonly ListScreen[] = [
  {
    file: 'features/tokens/TokensPage.tsx',
    address: `/projects/${projectId}/tokens`,
    table: 'Tokens',
    columns: ['Name', 'Created At', 'Token Id', 'Auto Accept', 'Last Used', 'Devices', 'Actions'],
    empty: 'No deployment tokens',
    answers: (rows) => ({
      ...projectAnswers,
      projects_QueryProjectDeploymentTokens: () => ({ tokens: [...rows] }),
    }),
    rows: [token(2, 'quay'), token(1, 'mast')],
    texts: ['quay', 'mast'],
    finds: 'deployment_id_2',
    sort: { header: 'Name', id: 'name' },
    removal: removalOf(
      'projects_DeleteDeploymentToken',
      { tokenId: 'deployment_id_2' },
      { path: ['Delete token “quay”'], dialog: 'Delete token “quay”', verb: 'Delete' },
    ),
    change: { topic: 'tokens', projectId },
  },
  {
    file: 'features/account/security/UserTokens.tsx',
    address: '/settings/security',
    table: 'User tokens',
    columns: ['Name', 'Token Id', 'Created At', 'Last Used', 'Access', 'Expires', 'Actions'],
    empty: 'No user tokens',
    answers: (rows) => ({
      ...signedIn,
      users_QueryUserTokens: () => ({ tokens: [...rows] }),
    }),
    rows: [userToken(1, 'laptop'), userToken(2, 'build server')],
    texts: ['laptop', 'build server'],
    finds: 'u_pk_1',
    sort: { header: 'Name', id: 'name' },
    removal: removalOf(
      'users_DeleteUserToken',
      { tokenId: 'u_pk_1' },
      { path: ['Delete token “laptop”'], dialog: 'Delete token “laptop”', verb: 'Delete' },
    ),
    change: { topic: 'tokens', userId },
  },
  {
    file: 'features/account/sessions/UserSessions.tsx',
    address: '/settings/sessions',
    table: 'Sessions',
    columns: ['Browser', 'User Agent', 'Session Id', 'Signed In', 'Last Used', 'Expires', 'Actions'],
    empty: 'No sessions',
    answers: (rows) => ({
      ...signedIn,
      users_QueryUserSessions: () => ({ sessions: [...rows] }),
    }),
    rows: [session(1, 'Firefox/140.0 (Linux)'), session(2, 'curl/8.14')],
    texts: ['Firefox on Linux', 'curl/8.14'],
    finds: 'u_session_pk_1',
    sort: { header: 'Browser', id: 'browser' },
    removal: removalOf(
      'users_TerminateUserSession',
      { sessionId: 'u_session_pk_1' },
      { path: ['End the session of Firefox on Linux'], dialog: 'End session', verb: 'End' },
    ),
    change: { topic: 'sessions', userId },
  },
  {
    file: 'features/devices/DevicesTable.tsx',
    address: `/projects/${projectId}/devices`,
    table: 'Devices',
    columns: ['Name', 'Id', 'First Seen', 'Status', 'Pending Certificates', 'Actions', 'Actions'],
    empty: 'Connect your first device',
    answers: (rows) => ({
      ...projectAnswers,
      projects_QueryProjectDevices: () => ({ devices: [...rows] }),
    }),
    rows: [devices[1]!, devices[0]!],
    texts: ['north-gate', 'crane-04'],
    finds: null,
    sort: { header: 'Name', id: 'name' },
    removal: removalOf(
      'devices_DeleteDevice',
      { deviceId: gate },
      {
        path: ['Actions for north-gate', 'Delete'],
        dialog: 'Delete device “north-gate”',
        typedName: 'north-gate',
        verb: 'Delete',
      },
    ),
    change: { topic: 'devices', projectId, deviceId: crane },
  },
  {
    file: 'features/log/LogPage.tsx',
    address: `/projects/${projectId}/log`,
    table: 'Log',
    columns: ['ID', 'Timestamp', 'Type', 'Actor', 'Data', 'Action/Job'],
    empty: 'Nothing has happened yet',
    answers: (rows) => ({
      ...projectAnswers,
      projects_QueryAuditLog: () => ({ events: [...rows] }),
    }),
    rows: [entry(1, 'devices_Created'), entry(2, 'projects_Created')],
    texts: ['devices_Created', 'projects_Created'],
    finds: null,
    change: { topic: 'log', projectId },
    showNew: '1 new entry',
  },
  ...repositoryListScreens,
  {
    file: 'features/project-repositories/ProjectRepositoriesPage.tsx',
    address: `/projects/${projectId}/repositories`,
    table: 'Repositories',
    columns: ['ID', 'Name', 'Visibility', 'Packages', 'Linked', 'Actions'],
    empty: 'No linked repositories',
    answers: (rows) => ({
      ...projectAnswers,
      projects_QueryProjectRepositories: () => ({ repositories: [...rows] }),
    }),
    rows: [linkedRow(2, 'winches'), linkedRow(1, 'cranes')],
    texts: ['winches', 'cranes'],
    finds: 'repo_2',
    sort: { header: 'Name', id: 'name' },
    change: { topic: 'repositories', projectId },
  },
  {
    file: 'features/admin/cluster/ClusterPage.tsx',
    address: '/admin/cluster',
    table: 'Cluster',
    columns: ['Id', 'Name', 'Uptime', 'Connections', 'Version', 'Last Heard'],
    empty: 'No nodes',
    answers: (rows) => ({ ...adminAnswers, cluster_GetClusterDetails: () => ({ nodes: [...rows] }) }),
    rows: [clusterNode(2, 'winch'), clusterNode(1, 'crane')],
    texts: ['winch', 'crane'],
    finds: 'cluster_node_2',
    sort: { header: 'Name', id: 'name' },
    change: { topic: 'cluster' },
  },
  {
    file: 'features/members/MembersPage.tsx',
    address: `/projects/${projectId}/members`,
    table: 'Members',
    columns: ['User', 'Role', 'Actions'],
    empty: 'No members',
    answers: (rows) => ({
      ...projectAnswers,
      projects_QueryProjectMembers: () => ({ users: [...rows] }),
    }),
    rows: [member(2, 'winnie', true), member(1, 'carl', true)],
    texts: ['winnie', 'carl'],
    finds: 'u_2',
    sort: { header: 'User', id: 'user' },
    removal: removalOf(
      'projects_RemoveProjectMember',
      { projectId, userId: 'u_2' },
      { path: ['Remove winnie'], dialog: 'Remove winnie', verb: 'Remove' },
    ),
    change: { topic: 'members', projectId },
  },
  {
    file: 'features/invitations/InvitationsPage.tsx',
    address: '/user/invitations',
    table: 'Invitations',
    columns: ['Name', 'Kind', 'From', 'Received', 'Ends', 'Actions'],
    empty: 'No invitations',
    answers: (rows) => ({
      ...signedIn,
      users_QueryUserProjectInvitations: () => ({ invitations: [...rows] }),
    }),
    rows: [received(1, 'winches'), received(2, 'cranes')],
    texts: ['winches', 'cranes'],
    finds: 'winches',
    sort: { header: 'Name', id: 'name' },
    removal: removalOf(
      'users_DeclineProjectInvitation',
      { invitationId: 'p_invite_1' },
      {
        path: ['Decline the invitation to “winches”'],
        dialog: 'Decline the invitation to “winches”',
        verb: 'Decline',
      },
    ),
    change: { topic: 'invitations', userId },
  },
  {
    file: 'features/admin/users/UsersPage.tsx',
    address: '/admin/users',
    table: 'Users',
    columns: ['Id', 'Name', 'Email', 'Admin', 'Actions'],
    empty: 'No users',
    answers: (rows) => ({ ...adminAnswers, users_QueryUsers: () => ({ users: [...rows] }) }),
    rows: [listedUser(2, 'winch'), listedUser(1, 'crane')],
    texts: ['winch', 'crane'],
    finds: 'u_2',
    sort: { header: 'Email', id: 'email' },
    removal: removalOf(
      'users_DeleteUser',
      { userId: 'u_2' },
      {
        path: ['Actions for winch@harbour.example', 'Delete'],
        dialog: 'Delete user winch@harbour.example',
        typedName: 'winch@harbour.example',
        verb: 'Delete',
      },
    ),
    change: { topic: 'users', userId },
  },
  {
    file: 'features/log/actions/ActionsPage.tsx',
    address: '/admin/actions',
    table: 'Actions',
    columns: ['ID', 'Timestamp', 'Type', 'Actor', 'Data', 'Status'],
    empty: 'No commands',
    answers: (rows) => ({ ...adminAnswers, audit_QueryAuditLogActions: () => ({ actions: [...rows] }) }),
    rows: [loggedAction(1, 'devices_DeleteDevice'), loggedAction(2, 'projects_CreateProject')],
    texts: ['devices_DeleteDevice', 'projects_CreateProject'],
    finds: null,
    change: { topic: 'log' },
    showNew: '1 new command',
  },
  {
    file: 'features/admin/jobs/JobsPage.tsx',
    address: '/admin/jobs',
    table: 'Jobs',
    columns: ['ID', 'Timestamp', 'Type', 'Queued', 'Status', 'Attempts', 'Actions'],
    empty: 'No jobs',
    answers: (rows) => ({ ...adminAnswers, jobs_QueryJobs: () => ({ jobs: [...rows] }) }),
    rows: [listedJob(2, 'winch', 'Failed'), listedJob(1, 'crane', 'Completed')],
    texts: ['winch', 'crane'],
    finds: 'winch',
    sort: { header: 'Type', id: 'type' },
    change: { topic: 'jobs' },
  },
];
