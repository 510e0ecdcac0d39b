import { actions, newerNames, type ActionName } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGenerationHub, type Scene, type GenerationHub } from '../../test/generation-scene.ts';
import {
  certificate,
  newerCalls,
  ofDevice,
  people,
  type Calls,
  type Case,
} from '../../test/newer-client-calls.ts';
import { firstAssetCalls, newerAssetCalls } from '../../test/newer-asset-calls.ts';
import { newerRepositoryCalls } from '../../test/newer-repository-calls.ts';
import { newFingerprint } from '../../test/seed.ts';
import { firstShapes, newerShapes } from '../../test/strict-shapes.ts';

let at: GenerationHub;
/** The scene of all calls that change nothing. */
let unchanged: Scene;
beforeAll(async () => {
  at = await startGenerationHub();
  unchanged = await at.newScene();
}, 60_000);
afterAll(() => at[Symbol.asyncDispose]());

const ownNames: Readonly<Record<string, ActionName>> = newerNames;

test('every shape is covered by a call', () => {
  expect(Object.keys(newerCalls)).toEqual(Object.keys(newerShapes));
  const known = [
    ...Object.keys(newerCalls).map((name) => ownNames[name] ?? name),
    ...Object.keys(firstAssetCalls),
  ];
  expect(Object.keys(firstShapes).filter((name) => !known.includes(name))).toEqual([]);
});

/** A case of a call, by its newer name. */
interface NamedCase {
  readonly name: string;
  readonly caller: Calls['by'][number];
  readonly one: Case;
  readonly index: number;
}

const repositoryCalls = [newerRepositoryCalls, newerAssetCalls, firstAssetCalls];

/** A case that changes something gets what it may change for itself: the repository, or the project with its device. */
async function sceneOf({ name, one }: NamedCase): Promise<Scene> {
  const { kind } = actions[ownNames[name] ?? (name as ActionName)];
  if (kind === 'query' && one.before === undefined) return unchanged;
  const isOfRepository = repositoryCalls.some((calls) => Object.hasOwn(calls, name));
  return at.newScene(isOfRepository ? { deviceOf: unchanged } : { catalogueOf: unchanged });
}

async function answerTo(
  named: NamedCase,
  ask: (scene: Scene) => readonly [string, object],
): Promise<unknown> {
  const scene = await sceneOf(named);
  for (const step of named.one.before ?? [])
    expect(await scene.callers[named.one.beforeBy ?? 'agent'](...step(scene))).toHaveProperty('value');
  const answer = await scene.callers[named.caller](...ask(scene));
  if ('error' in answer) throw new Error(`${answer.error.kind}: ${answer.error.message}`);
  return answer.value;
}

const casesOf = (calls: Readonly<Record<string, Calls>>): readonly NamedCase[] =>
  Object.entries(calls).flatMap(([name, { by, cases }]) =>
    by.flatMap((caller) => cases.map((one, index) => ({ name, caller, one, index: index + 1 }))),
  );
const everyCase = casesOf(newerCalls);

describe('the newer decoders read the answer', () => {
  test.each(everyCase)('to $name by $caller ($index)', async (named) => {
    const { name, one } = named;
    const answer = await answerTo(named, (scene) => [name, one.input(scene)]);
    newerShapes[name]?.parse(answer);
    if (one.result !== undefined) expect(answer).toMatchObject({ result: one.result });
  });
});

describe('the first decoders read the answer', () => {
  const known = [...everyCase, ...casesOf(firstAssetCalls)].flatMap((named) => {
    const name = ownNames[named.name] ?? named.name;
    return name in firstShapes ? [{ name, caller: named.caller, index: named.index, named }] : [];
  });

  test.each(known)('to $name by $caller ($index)', async ({ name, named }) => {
    const { one } = named;
    const answer = await answerTo(named, (scene) => [name, (one.firstInput ?? one.input)(scene)]);
    firstShapes[name]?.parse(answer);
  });
});

test.each(people)('the end of a connection is in its history, by %s', async (caller) => {
  const scene = await at.newScene({ catalogueOf: unchanged });
  scene.leave();
  const history = async () => {
    const answer = await scene.callers[caller]('devices_QueryConnections', { deviceId: scene.deviceId });
    return newerShapes['devices_QueryConnections']?.parse('value' in answer ? answer.value : answer);
  };
  const ended = [{ endedAt: expect.any(String), endReason: 'Disconnected' }];
  await expect.poll(history).toMatchObject({ connections: ended });
});

describe('errors', () => {
  const ask = async (
    caller: 'HTTP' | 'command line' | 'agent',
    call: (scene: Scene) => readonly [string, object],
  ) => unchanged.callers[caller](...call(unchanged));

  test.each(people)(
    'a certificate status that only newer hubs know is refused as input by %s',
    async (caller) => {
      for (const name of ['devices_SetCertificateStatus', 'devices_SetDeviceCertificateStatus']) {
        const answer = await ask(caller, (scene) => [name, { ...certificate(scene), status: 'Conflict' }]);
        expect(answer).toMatchObject({ error: { kind: 'Invalid' } });
      }
    },
  );

  test('a step of an unknown operation is never refused: an agent would claim again at once', async () => {
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
    expect(answer).toMatchObject({ value: {} });
  });

  test('a pairing key is refused over HTTP without any authentication, in a sentence', async () => {
    const { status, json } = await at.transports.hub.call(
      '/api/v1/actions/invoke/projects_RedeemDevicePairingKey',
      { method: 'POST', body: { pairingKey: 'ABCDE-FGHJK', fingerprint: newFingerprint() } },
    );
    expect(status).toBe(400);
    expect(json).toEqual({
      kind: 'Invalid',
      message: expect.stringMatching(/^The pairing key is not valid: .+\.$/),
    });
  });
});
