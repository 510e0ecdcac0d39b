import { z } from 'zod';
import { firstRepositoryShapes, newerRepositoryShapes } from './strict-repository-shapes.ts';
import { dated, id, map, maybe, nothing, result, time, uint } from './strict-scalars.ts';

/*
 * The shapes that the decoders of existing clients require, written from the clients' description and independent of the
 * contract: a required field must be present with exactly that type, an optional field may be null or absent, enum
 * values are exact, numbers are integers, and unknown fields are ignored.
 */

const fingerprint = z.string().regex(/^[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){31}$/);
const certificateStatus = z.enum(['Pending', 'Active', 'Rejected', 'Revoked']);
const severity = z.enum(['Trace', 'Debug', 'Info', 'Warning', 'Error', 'Critical']);
/** Tagged by `actor`; the console reads `kind`. */
const device = z.object({
  actor: z.literal('Device'),
  kind: z.literal('Device'),
  deviceId: id('d'),
  tokenId: id('deployment_id'),
});
const userToken = z.object({
  actor: z.literal('UserToken'),
  kind: z.literal('UserToken'),
  userId: id('u'),
  tokenId: id('u_pk'),
});

const oldProperty = { name: z.string(), value: z.json(), protected: z.boolean(), lastUpdated: time };
const property = { ...oldProperty, version: uint(53) };

const event = z.object({
  eventId: dated('d_ev'),
  category: maybe(z.string()),
  severity,
  body: z.json(),
  attributes: map(z.json()),
  emittedAt: time,
  receivedAt: maybe(time),
});

const newerDetails = {
  deviceId: id('d'),
  projectId: id('p'),
  fingerprintId: id('d_pk'),
  name: maybe(z.string()),
  isConnected: z.boolean(),
  certificates: z.array(
    z.object({ certificateId: id('d_c'), status: certificateStatus, fingerprint, firstSeen: time }),
  ),
  connections: z.array(
    z.object({
      connectionId: id('d_conn'),
      nodeId: id('cluster_node'),
      connectedAt: time,
      connectedForSecs: uint(32),
    }),
  ),
};

const connection = z.object({
  connectionId: id('d_conn'),
  nodeId: id('cluster_node'),
  connectedAt: time,
  endedAt: maybe(time),
  endReason: maybe(z.enum(['Unknown', 'Disconnected', 'NodeCrashed', 'ServerShutdown'])),
  durationSecs: uint(32),
});

const offeredCommand = z.object({
  name: z.string(),
  description: maybe(z.string()),
  category: maybe(z.string()),
  input: maybe(z.json()),
  output: maybe(z.json()),
});

const work = z.object({
  deviceOperationId: id('d_op'),
  claimId: id('d_op_claim'),
  operationName: z.string(),
  stepIndex: uint(32),
  checkpoint: maybe(z.json()),
  step: z.object({
    kind: z.literal('DeviceCommand'),
    command: z.string(),
    input: z.json(),
    timeoutSecs: maybe(uint(32)),
  }),
});

const oldListedDevice = {
  deviceId: id('d'),
  name: maybe(z.string()),
  firstSeen: time,
  isConnected: z.boolean(),
  pendingCertificatesCount: uint(32),
};
const listedDevice = {
  ...oldListedDevice,
  hostname: maybe(z.string()),
  status: z.enum(['healthy', 'warning', 'error', 'offline']),
  lastConnectedAt: maybe(time),
  currentConnectionDurationSecs: maybe(uint(32)),
};

const oldListedToken = {
  tokenId: id('deployment_id'),
  createdAt: time,
  name: maybe(z.string()),
  flags: z.object({ autoAccept: maybe(z.boolean()) }),
};

const otlp = z.object({ enabled: z.boolean(), endpoint: maybe(z.string()), headers: map(z.string()) });

/** The shapes that clients of 2025 decode, by action name. */
export const firstShapes: Readonly<Record<string, z.ZodType>> = {
  ...firstRepositoryShapes,
  actor_GetActor: z.object({ actor: z.union([device, userToken]) }),
  devices_SetDeviceProperty: nothing,
  devices_GetDeviceProperty: z.union([result('NotFound'), result('Found', oldProperty)]),
  devices_QueryDeviceProperties: z.object({ properties: map(z.object(oldProperty)) }),
  devices_IssueDeviceToken: z.object({ jwt: z.string() }),
  devices_PublishDeviceEvents: nothing,
  devices_IssueDeviceHttpProxyToken: z.object({ jwt: z.string(), url: z.string() }),
  devices_GetDeviceDetails: z.object({ ...newerDetails, metadata: map(z.json()) }),
  devices_CreateDevice: z.object({ deviceId: id('d') }),
  devices_DeleteDevice: nothing,
  devices_SetDeviceName: nothing,
  devices_AddDeviceCertificate: z.object({ certificateId: id('d_c') }),
  devices_DeleteDeviceCertificate: nothing,
  devices_SetDeviceCertificateStatus: nothing,
  devices_QueryDeviceEvents: z.object({ events: z.array(event) }),
  projects_QueryProjects: z.object({
    projects: z.array(z.object({ projectId: id('p'), name: z.string() })),
  }),
  projects_GetProjectDetails: z.object({ projectId: id('p'), name: z.string(), deviceCount: uint(32) }),
  projects_CreateProject: result('Created', { projectId: id('p') }),
  projects_DeleteProject: nothing,
  projects_QueryProjectDevices: z.object({ devices: z.array(z.object(oldListedDevice)) }),
  projects_QueryProjectDeploymentTokens: z.object({ tokens: z.array(z.object(oldListedToken)) }),
  projects_CreateDeploymentToken: z.object({ tokenId: id('deployment_id'), token: id('deployment', 66) }),
  projects_DeleteDeploymentToken: nothing,
  projects_SetDeploymentTokenFlags: nothing,
};

/** The shapes that clients of 2026-04 and 2026-08 decode, by action name. */
export const newerShapes: Readonly<Record<string, z.ZodType>> = {
  ...newerRepositoryShapes,
  actor_GetActor: z.object({ actor: z.union([device, userToken]) }),
  devices_SetProperty: z.union([
    result('Set'),
    result('VersionConflict', { currentVersion: uint(53) }),
    result('Deleted'),
  ]),
  devices_GetProperty: z.union([result('NotFound'), result('Found', property)]),
  devices_RemoveProperty: z.union([result('Removed'), result('NotFound')]),
  devices_QueryProperties: z.object({ properties: map(z.object(property)) }),
  devices_IssueDeviceToken: z.object({ jwt: z.string() }),
  devices_PublishEvents: nothing,
  devices_IssueHttpProxyToken: z.object({ jwt: z.string(), url: z.string() }),
  devices_GetDetails: z.object(newerDetails),
  devices_Create: z.object({ deviceId: id('d') }),
  devices_Delete: nothing,
  devices_SetName: nothing,
  devices_AddCertificate: z.object({ certificateId: id('d_c') }),
  devices_DeleteCertificate: nothing,
  devices_SetCertificateStatus: nothing,
  devices_QueryConnections: z.object({ connections: z.array(connection) }),
  devices_QueryEvents: z.object({ events: z.array(event) }),
  devices_QueryCommands: z.object({ manifest: z.object({ commands: z.array(offeredCommand) }) }),
  devices_ClaimOperationWork: z.object({ work: z.array(work) }),
  projects_Query: z.object({ projects: z.array(z.object({ projectId: id('p'), name: z.string() })) }),
  projects_GetDetails: z.object({ projectId: id('p'), name: z.string(), deviceCount: uint(32) }),
  projects_Create: result('Created', { projectId: id('p') }),
  projects_Delete: nothing,
  projects_SetName: nothing,
  projects_QueryDevices: z.object({ devices: z.array(z.object(listedDevice)) }),
  projects_QueryDeploymentTokens: z.object({
    tokens: z.array(z.object({ ...oldListedToken, deviceId: maybe(id('d')) })),
  }),
  projects_CreateDeploymentToken: z.object({ tokenId: id('deployment_id'), token: id('deployment', 66) }),
  projects_DeleteDeploymentToken: nothing,
  projects_SetDeploymentTokenFlags: nothing,
  projects_GetOtlpConfig: z.object({ config: otlp }),
  projects_SetOtlpConfig: nothing,
};
