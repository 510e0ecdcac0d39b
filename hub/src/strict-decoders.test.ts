import { ids, newerNames, type ActionName } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newEventId, stage, type Scene, type Stage } from '../test/generation-scene.ts';
import { newCertificate, newFingerprint } from '../test/seed.ts';
import { firstShapes, newerShapes } from '../test/strict-shapes.ts';
import { unavailableActions } from './actions/unavailable.ts';

let at: Stage;
beforeAll(async () => void (at = await stage()), 60_000);
afterAll(() => at[Symbol.asyncDispose]());

interface Case {
  /** An input as the clients send it. */
  readonly input: (scene: Scene) => object;
  /** That of the first clients, where they send something else. */
  readonly firstInput?: (scene: Scene) => object;
  /** Calls that make the case what it is, by the agent. */
  readonly before?: readonly ((scene: Scene) => readonly [string, object])[];
  /** Which of several results it is to be, for those that know results. */
  readonly result?: string;
}

interface Calls {
  readonly by: readonly ('HTTP' | 'command line' | 'agent')[];
  readonly cases: readonly Case[];
}

const people = ['HTTP', 'command line'] as const;
const devices = ['agent'] as const;
const everybody = [...people, ...devices];

const ofDevice = ({ deviceId }: Scene) => ({ deviceId });
const ofProject = ({ projectId }: Scene) => ({ projectId });
const certificate = ({ pendingCertificateId }: Scene) => ({ certificateId: pendingCertificateId });
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

/** Every call of the newer clients' commands by its newer name; where the first clients call the action too, by theirs as well. */
const calls: Readonly<Record<string, Calls>> = {
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
    cases: one((scene) => ({ ...ofDevice(scene), limit: 1, kinds: ['DeviceCommand'] })),
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

const ownNames: Readonly<Record<string, ActionName>> = newerNames;

test('every shape is asked for', () => {
  expect(Object.keys(calls)).toEqual(Object.keys(newerShapes));
  const known = Object.keys(calls).map((name) => ownNames[name] ?? name);
  expect(Object.keys(firstShapes).filter((name) => !known.includes(name))).toEqual([]);
});

async function answerTo(
  { before = [] }: Case,
  door: Calls['by'][number],
  ask: (scene: Scene) => readonly [string, object],
): Promise<unknown> {
  const scene = await at.newScene();
  for (const step of before) expect(await scene.doors.agent(...step(scene))).toMatchObject({ result: 'Ok' });
  const answer = await scene.doors[door](...ask(scene));
  if ('error' in answer) throw new Error(`${answer.error.kind}: ${answer.error.message}`);
  return answer.value;
}

const everyCase = Object.entries(calls).flatMap(([name, { by, cases }]) =>
  by.flatMap((door) => cases.map((one, index) => ({ name, door, one, index: index + 1 }))),
);

describe('the newer decoders read the answer', () => {
  test.each(everyCase)('to $name by $door ($index)', async ({ name, door, one }) => {
    const answer = await answerTo(one, door, (scene) => [name, one.input(scene)]);
    newerShapes[name]?.parse(answer);
    if (one.result !== undefined) expect(answer).toMatchObject({ result: one.result });
  });
});

describe('the first decoders read the answer', () => {
  const known = everyCase.flatMap((one) => {
    const name = ownNames[one.name] ?? one.name;
    return name in firstShapes ? [{ ...one, name }] : [];
  });

  test.each(known)('to $name by $door ($index)', async ({ name, door, one }) => {
    const answer = await answerTo(one, door, (scene) => [name, (one.firstInput ?? one.input)(scene)]);
    firstShapes[name]?.parse(answer);
  });
});

test.each(people)('the end of a connection is in its history, by %s', async (door) => {
  const scene = await at.newScene();
  scene.leave();
  const history = async () => {
    const answer = await scene.doors[door]('devices_QueryConnections', { deviceId: scene.deviceId });
    return newerShapes['devices_QueryConnections']?.parse('value' in answer ? answer.value : answer);
  };
  const ended = [{ endedAt: expect.any(String), endReason: 'Disconnected' }];
  await expect.poll(history, { timeout: 10_000 }).toMatchObject({ connections: ended });
});

describe('errors', () => {
  const ask = async (
    door: 'HTTP' | 'command line' | 'agent',
    call: (scene: Scene) => readonly [string, object],
  ) => {
    const scene = await at.newScene();
    return scene.doors[door](...call(scene));
  };

  test.each(people)(
    'a certificate status that only newer hubs know is refused as input by %s',
    async (door) => {
      for (const name of ['devices_SetCertificateStatus', 'devices_SetDeviceCertificateStatus']) {
        const answer = await ask(door, (scene) => [name, { ...certificate(scene), status: 'Conflict' }]);
        expect(answer).toMatchObject({ error: { kind: 'Invalid' } });
      }
    },
  );

  test('a step of an operation that there is none of is refused for good', async () => {
    const report = {
      deviceOperationId: 'd_op_1111111111111111111111',
      claimId: 'd_op_claim_1111111111111111111111',
      stepIndex: 0,
      report: { status: 'Failed', error: 'it broke' },
    };
    const answer = await ask('agent', (scene) => [
      'devices_ReportOperationStep',
      { ...ofDevice(scene), ...report },
    ]);
    expect(answer).toMatchObject({ error: { kind: 'Invalid', message: 'Operation not found.' } });
  });

  test('a pairing key is refused over HTTP without any authentication, in a sentence', async () => {
    const { status, json } = await at.doors.hub.call(
      '/api/v1/actions/invoke/projects_RedeemDevicePairingKey',
      { method: 'POST', body: { pairingKey: 'ABCDE-FGHJK', fingerprint: newFingerprint() } },
    );
    expect(status).toBe(400);
    expect(json).toEqual({
      kind: 'Invalid',
      message: expect.stringMatching(/^This hub does not pair .+\.$/),
    });
  });

  test('of too many requests only who calls by a newer name hears in a word of its own', async () => {
    const register = (name: string, count: number) =>
      at.doors.hub.invoke(name, {
        email: `n${count}@example.org`,
        password: 'quiet harbour lantern 7',
        consentedToTerms: true,
      });
    for (let count = 0; (await register('users_Register', count)).status === 200; count += 1)
      expect(count).toBeLessThan(50);
    const [newer, first] = [await register('users_Register', 99), await register('users_RegisterUser', 99)];
    expect([newer.status, first.status]).toEqual([429, 429]);
    expect([newer.json['kind'], first.json['kind']]).toEqual(['RateLimited', 'Internal']);
    expect([newer.headers['retry-after'], newer.json['message']]).toEqual([
      expect.any(String),
      first.json['message'],
    ]);
  });

  const missing: ReadonlySet<string> = new Set(unavailableActions);
  test.each(people)('what is not available yet says so by all its names, by %s', async (door) => {
    const { doors } = await at.newScene();
    for (const [name, action] of Object.entries(newerNames).filter(([, action]) => missing.has(action)))
      for (const called of [name, action])
        expect(await doors[door](called, {})).toMatchObject({
          error: { kind: 'Invalid', message: `The action ${called} is not available yet.` },
        });
  });
});
