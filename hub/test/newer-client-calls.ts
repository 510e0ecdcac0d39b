import { ids } from '@corral/contract';
import { newEventId, type Scene } from './generation-scene.ts';
import { newerAssetCalls } from './newer-asset-calls.ts';
import { newerRepositoryCalls } from './newer-repository-calls.ts';
import { newCertificate, newFingerprint } from './seed.ts';

/** One call whose answer a client must be able to decode. */
export interface Case {
  /** The input that the newer clients send. */
  readonly input: (scene: Scene) => object;
  /** The input of the first-generation clients, where it differs. */
  readonly firstInput?: (scene: Scene) => object;
  /** Calls that prepare the case. */
  readonly before?: readonly ((scene: Scene) => readonly [string, object])[];
  /** Who makes them; the agent by default. */
  readonly beforeBy?: 'HTTP';
  /** The expected result, for clients that know results. */
  readonly result?: string;
}

/** The callers of an action and its cases. */
export interface Calls {
  readonly by: readonly ('HTTP' | 'command line' | 'agent')[];
  readonly cases: readonly Case[];
}

/** Callers that act for a user. */
export const people = ['HTTP', 'command line'] as const;
const devices = ['agent'] as const;
const everybody = [...people, ...devices];

/** The device of the scene, as an input. */
export const ofDevice = ({ deviceId }: Scene) => ({ deviceId });
const ofProject = ({ projectId }: Scene) => ({ projectId });
/** Its pending certificate, as an input. */
export const certificate = ({ pendingCertificateId }: Scene) => ({ certificateId: pendingCertificateId });
const deploymentToken = ({ deploymentTokenId }: Scene) => ({ tokenId: deploymentTokenId });
const one = (input: Case['input'], more: Omit<Case, 'input'> = {}): readonly Case[] => [{ input, ...more }];

const manifest = {
  commands: [{ name: 'reboot', description: 'Restarts.', category: 'System', input: { type: 'object' } }],
};
const writes = (name: string, value: unknown) => (scene: Scene) =>
  ['devices_SetProperty', { ...ofDevice(scene), name, value }] as const;
const publishes = (scene: Scene) =>
  ['devices_PublishEvents', { ...ofDevice(scene), events: [event()] }] as const;
const event = () => ({
  eventId: newEventId(),
  severity: 'Info',
  body: 'started',
  attributes: { unit: 'pump' },
  emittedAt: '2026-11-20T18:25:00.123456789+01:00',
});
const named = (name: string) => (scene: Scene) => ({ ...ofDevice(scene), name });

/** Every call of the newer clients by its newer name, and by the older name where first-generation clients call the action too. */
export const newerCalls: Readonly<Record<string, Calls>> = {
  ...newerRepositoryCalls,
  ...newerAssetCalls,
  actor_GetActor: { by: everybody, cases: one(() => ({})) },
  devices_SetProperty: {
    by: everybody,
    cases: [
      { input: (scene) => ({ ...ofDevice(scene), name: 'mode', value: { fast: true } }), result: 'Set' },
      { input: (scene) => ({ ...ofDevice(scene), name: 'mode', value: null }), result: 'Set' },
      {
        before: [writes('mode', 1)],
        input: (scene) => ({ ...ofDevice(scene), name: 'mode', value: 2, expectedVersion: '9' }),
        result: 'VersionConflict',
      },
      {
        input: (scene) => ({ ...ofDevice(scene), name: 'mode', value: 2, expectedVersion: 1 }),
        result: 'Deleted',
      },
    ],
  },
  devices_GetProperty: {
    by: everybody,
    cases: [
      { input: named('mode'), result: 'NotFound' },
      { before: [writes('mode', null)], input: named('mode'), result: 'Found' },
    ],
  },
  devices_RemoveProperty: {
    by: people,
    cases: [
      { input: named('mode'), result: 'NotFound' },
      { before: [writes('mode', 1)], input: named('mode'), result: 'Removed' },
    ],
  },
  devices_QueryProperties: {
    by: people,
    cases: one(ofDevice, { before: [writes('mode', 1), writes('other', [null])] }),
  },
  devices_IssueDeviceToken: {
    by: devices,
    cases: [
      { input: (scene) => ({ ...ofDevice(scene), claims: null }) },
      { input: (scene) => ({ ...ofDevice(scene), validForSecs: 60, claims: { site: 'north' } }) },
    ],
  },
  devices_PublishEvents: { by: devices, cases: one((scene) => publishes(scene)[1]) },
  devices_IssueHttpProxyToken: {
    by: people,
    cases: [
      { input: ofDevice },
      { input: (scene) => ({ ...ofDevice(scene), validForSecs: 60, port: 8080 }) },
    ],
  },
  devices_GetDetails: { by: people, cases: one(ofDevice) },
  devices_Create: {
    by: people,
    cases: one((scene) => ({ ...ofProject(scene), fingerprint: newFingerprint() })),
  },
  devices_Delete: { by: people, cases: one(ofDevice) },
  devices_SetName: { by: people, cases: [{ input: named('Crane') }, { input: ofDevice }] },
  devices_AddCertificate: {
    by: people,
    cases: [
      { input: (scene) => ({ ...ofDevice(scene), fingerprint: newCertificate() }) },
      {
        input: (scene) => ({
          ...ofDevice(scene),
          fingerprint: newCertificate().toLowerCase(),
          status: 'Active',
        }),
      },
    ],
  },
  devices_DeleteCertificate: { by: people, cases: one(certificate) },
  devices_SetCertificateStatus: {
    by: people,
    cases: one((scene) => ({ ...certificate(scene), status: 'Active' })),
  },
  devices_QueryConnections: {
    by: people,
    cases: [{ input: ofDevice }, { input: (scene) => ({ ...ofDevice(scene), limit: 5, activeOnly: true }) }],
  },
  devices_QueryEvents: {
    by: people,
    cases: [
      { before: [publishes], input: ofDevice },
      { input: (scene) => ({ ...ofDevice(scene), limit: 10 }) },
    ],
  },
  devices_QueryCommands: {
    by: people,
    cases: [{ input: ofDevice }, { before: [writes('dev.nexigon.commands', manifest)], input: ofDevice }],
  },
  devices_ClaimOperationWork: {
    by: devices,
    // A claim is held until there is a step: the tests of the gateway read its answer.
    cases: [],
  },
  projects_Query: { by: people, cases: one(() => ({})) },
  projects_GetDetails: { by: people, cases: one(ofProject) },
  projects_Create: {
    by: people,
    cases: one(({ userId }) => ({ organizationId: `org_${ids.user.raw(userId)}`, name: 'Farm' }), {
      firstInput: ({ userId }) => ({ name: 'Farm', owner: userId }),
      result: 'Created',
    }),
  },
  projects_Delete: { by: people, cases: one(ofProject) },
  projects_SetName: { by: people, cases: one((scene) => ({ ...ofProject(scene), name: 'Harbour' })) },
  projects_QueryDevices: {
    by: people,
    cases: [
      { input: ofProject },
      { before: [writes('dev.nexigon.system.info', { hostname: 'h' })], input: ofProject },
    ],
  },
  projects_QueryDeploymentTokens: { by: people, cases: one(ofProject) },
  projects_CreateDeploymentToken: {
    by: people,
    cases: [
      { input: (scene) => ({ ...ofProject(scene), name: 'line 2' }) },
      { input: (scene) => ({ ...ofProject(scene), name: 'line 3', flags: { autoAccept: true } }) },
    ],
  },
  projects_DeleteDeploymentToken: { by: people, cases: one(deploymentToken) },
  projects_SetDeploymentTokenFlags: {
    by: people,
    cases: one((scene) => ({ ...deploymentToken(scene), flags: { autoAccept: false } })),
  },
  projects_GetOtlpConfig: { by: people, cases: one(ofProject) },
  projects_SetOtlpConfig: {
    by: people,
    cases: one((scene) => ({ ...ofProject(scene), config: { enabled: false, headers: {} } })),
  },
};
