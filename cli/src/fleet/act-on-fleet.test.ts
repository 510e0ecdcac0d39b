import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as readJson } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { corral, token, type RunOptions } from '../../test/cli-process.ts';

interface Call {
  readonly action: string;
  readonly input: Record<string, unknown>;
}

const id = `flt_op_${'7'.repeat(22)}`;
const progress = { total: 1, succeeded: 0, failed: 0, timedOut: 0, cancelled: 0, running: 1, pending: 0 };
const running = {
  fleetOperationId: id,
  name: 'Run x',
  status: 'Running',
  progress,
  activeStageIndex: 0,
  stageCount: 1,
  notDelivered: 0,
};
const ended = { ...running, status: 'Completed', progress: { ...progress, running: 0, succeeded: 1 } };
const found = (summary: object) => ({ result: 'Found', summary, stages: [], stageStates: [] });
const preview = {
  matched: 1,
  eligible: 1,
  offline: 0,
  excluded: [],
  stages: [],
  downloadBytes: 0,
  changes: [],
  warnings: [],
  needsOwner: false,
  needsApproval: false,
  previewHash: 'h',
};

let server: Server;
let calls: Call[];
/** The answers of each action, one after the other; the last one stays. A status makes it an error. */
let answers: Record<string, { readonly status?: number; readonly body: object }[]>;
let onCall: (action: string) => void;

beforeEach(async () => {
  calls = [];
  onCall = () => undefined;
  answers = {
    projects_QueryProjects: [{ body: { projects: [{ projectId: `p_${'1'.repeat(22)}`, name: 'Plant' }] } }],
    fleet_PreviewOperation: [{ body: preview }],
    fleet_CreateOperation: [{ body: { fleetOperationId: id } }],
    fleet_GetOperation: [{ body: found(ended) }],
    fleet_QueryFailureGroups: [{ body: { groups: [] } }],
  };
  server = createServer((request, response) => {
    void readJson(request).then((input) => {
      const action = request.url?.split('/').at(-1) ?? '';
      calls.push({ action, input: input as Call['input'] });
      const list = answers[action] ?? [];
      const { status = 200, body = {} } = (list.length > 1 ? list.shift() : list[0]) ?? {};
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      onCall(action);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const ask = (args: readonly string[], options: RunOptions = {}) =>
  corral(args, {
    ...options,
    env: {
      CORRAL_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      CORRAL_TOKEN: token,
    },
  });
const run = (...more: string[]) => ask(['run', 'x', '--on', 'all', '--yes', ...more]);
const inputsOf = (action: string) => calls.filter((call) => call.action === action).map(({ input }) => input);

/** Fulfilled when the operation has been read. */
function afterFirstLook(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  onCall = (action) => action === 'fleet_GetOperation' && resolve();
  return promise;
}

test('without --input a command gets an empty object, which the commands of the kit take', async () => {
  expect(await run()).toMatchObject({ code: 0, stdout: '✓ Run x: 1 of 1 device succeeded, 0 failed.\n' });
  expect(inputsOf('fleet_CreateOperation')[0]?.['steps']).toEqual([
    { kind: 'DeviceCommand', command: 'x', input: {} },
  ]);
});

test('failures are shown as one of their devices said them', async () => {
  const group = { text: 'exit code …', example: 'exit code 7', count: 2, status: 'Failed', stepIndex: 0 };
  answers['fleet_QueryFailureGroups'] = [{ body: { groups: [{ ...group, sample: [] }] } }];
  expect((await run()).stdout).toContain('\n  2 devices: exit code 7\n');
});

test('stages that follow by themselves stop when most devices of one failed, also in a stage of one device', async () => {
  const followed = (soakSecs: number, maxFailurePercent: number) => [
    { name: '1 %', percentage: 1, autoAdvance: true, soakSecs, guard: { maxFailurePercent, gates: [] } },
    { name: '100 %', percentage: 100 },
  ];
  await run('--waves', '1,100');
  await run('--stages', '1,100', '--soak', '5', '--budget', '30%');
  const [usual, bold] = inputsOf('fleet_CreateOperation');
  expect(usual?.['stages']).toEqual(followed(600, 20));
  expect(bold?.['stages']).toEqual(followed(5, 30));
});

test('a version is found by its name where no tag has it, unless several have the name', async () => {
  const versionOf = (digit: string, name: string) => ({ versionId: `pkg_v_${digit.repeat(22)}`, name });
  answers['repositories_ResolvePackageVersionByPath'] = [{ body: { result: 'NotFound' } }];
  answers['repositories_ResolvePackageByPath'] = [
    { body: { result: 'Found', packageId: `pkg_${'1'.repeat(22)}` } },
  ];
  answers['repositories_QueryPackageVersions'] = [
    { body: { versions: [versionOf('1', '2.0.0'), versionOf('2', '2.0.0-rc.1')] } },
    { body: { versions: [versionOf('1', '2.0.0'), versionOf('3', '2.0.0')] } },
  ];
  const install = () => ask(['install', 'firmware/press@2.0.0', '--on', 'all', '--yes']);
  expect(await install()).toMatchObject({ code: 0 });
  expect(inputsOf('fleet_CreateOperation')[0]?.['install']).toEqual({ versionId: `pkg_v_${'1'.repeat(22)}` });
  expect(await install()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Several versions have the name "2.0.0"'),
  });
  const noTag = { status: 400, body: { kind: 'Invalid', message: 'After ~ comes a number.' } };
  answers['repositories_ResolvePackageVersionByPath'] = [noTag];
  answers['repositories_QueryPackageVersions'] = [
    { body: { versions: [versionOf('4', '2.0.0~rc1')] } },
    { body: { versions: [] } },
  ];
  const other = () => ask(['install', 'firmware/press@2.0.0~rc1', '--on', 'all', '--yes']);
  expect(await other()).toMatchObject({ code: 0 });
  expect((await other()).stderr).toContain('After ~ comes a number.');
});

test('a maintenance window goes along, and one that cannot be is refused before anything is asked', async () => {
  expect((await run('--window', '22:00-05:00@Europe/Berlin')).code).toBe(0);
  const window = { from: '22:00', to: '05:00', timeZone: 'Europe/Berlin' };
  expect(inputsOf('fleet_CreateOperation')).toMatchObject([{ window }]);
  calls.length = 0;
  for (const [given, sentence] of [
    ['22:00', 'Give it as 22:00-05:00@Europe/Berlin.'],
    ['22:00-05:00@Europe/Nowhere', 'There is no time zone "Europe/Nowhere"'],
  ] as const)
    expect(await run('--window', given)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(sentence),
    });
  expect(calls).toEqual([]);
});

test('who may not start an operation asks others to, and is told who they are', async () => {
  const warnings = ['Only an owner of the project may start it. Ada may start it.'];
  answers['fleet_PreviewOperation'] = [
    { body: { ...preview, needsOwner: true, starters: ['Ada'], warnings } },
  ];
  const asked = await run();
  expect(asked).toMatchObject({ code: 5, stdout: '' });
  expect(asked.stderr).toContain('Ada may start it.');
  expect(asked.stderr).toContain(
    `It waits for somebody else to start it, such as Ada: corral operations resume ${id}`,
  );
  expect(inputsOf('fleet_StartOperation')).toEqual([]);
  expect(inputsOf('fleet_CancelOperation')).toEqual([]);
  const message = 'This needs a second person. Ada may start it.';
  answers['fleet_StartOperation'] = [{ status: 403, body: { kind: 'Forbidden', message } }];
  expect(await ask(['operations', 'resume', id])).toMatchObject({ code: 5, stderr: `${message}\n` });
});

test('an operation that the hub refuses to start leaves no draft', async () => {
  answers['fleet_StartOperation'] = [
    { status: 400, body: { kind: 'Invalid', message: 'The devices are others now.' } },
  ];
  expect(await run()).toMatchObject({
    code: 5,
    stdout: '',
    stderr: expect.stringMatching(/\nThe devices are others now.\n$/),
  });
  expect(inputsOf('fleet_CancelOperation')).toEqual([{ fleetOperationId: id }]);
});

test('a draft that stays is named, and one of which nobody knows whether it was started', async () => {
  const broken = { status: 500, body: { kind: 'Internal', message: 'It broke.' } };
  answers['fleet_StartOperation'] = [broken];
  const unknown = await run();
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain(`Internal: It broke. Look at it: corral operations show ${id}\n`);
  expect(inputsOf('fleet_CancelOperation')).toEqual([]);
  answers['fleet_StartOperation'] = [{ status: 400, body: { kind: 'Invalid', message: 'Not now.' } }];
  answers['fleet_CancelOperation'] = [broken];
  expect((await run()).stderr).toContain(`Not now. It stays as a draft: corral operations show ${id}\n`);
});

const reason = 'The stage "1 %" has ended with 100 % failures.';
const paused = { ...running, status: 'Paused', pauseReason: reason };
const ways = `Run it again on the devices that failed: corral operations retry ${id}
Or begin the next stage nevertheless: corral operations advance ${id} --force --reason TEXT
`;

test('an operation that its guard holds names what helps, whatever is tried', async () => {
  answers['fleet_GetOperation'] = [{ body: { ...found(paused), isHeldByGuard: true } }];
  answers['fleet_StartOperation'] = [{ status: 400, body: { kind: 'Invalid', message: reason } }];
  const gates: object[] = [];
  const blocked = { result: 'GuardBlocked', successPercent: 0, failurePercent: 100, gates };
  answers['fleet_AdvanceOperationStage'] = [{ body: blocked }, { body: { result: 'Advanced' } }];
  const watched = await ask(['operations', 'watch', id]);
  expect(watched.code).toBe(4);
  expect(watched.stderr).toMatch(new RegExp(`${reason}\n${ways}$`));
  expect(await ask(['operations', 'resume', id])).toMatchObject({ code: 5, stderr: `${reason}\n${ways}` });
  const refused = await ask(['operations', 'advance', id]);
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining(ways) });
  expect((await ask(['operations', 'advance', id, '--force', '--reason', 'x'])).stdout).toBe(
    `✓ The next stage begins as soon as the operation goes on: corral operations resume ${id}\n`,
  );
});

test('a retry of a paused operation says that it waits', async () => {
  answers['fleet_RetryOperation'] = [{ body: { devices: 8 } }];
  answers['fleet_GetOperation'] = [{ body: found(paused) }];
  expect(await ask(['operations', 'retry', id])).toEqual({
    code: 4,
    stdout: '',
    stderr: `The operation is paused: it runs again on 8 devices as soon as it goes on: corral operations resume ${id}\n`,
  });
});

test('failures are counted the same everywhere, without devices that were not reached', async () => {
  const counts = { ...progress, total: 9, running: 0, failed: 4, timedOut: 2 };
  const grown = { ...paused, notDelivered: 1, progress: { ...counts, failed: 7 } };
  const stageStates = [{ failures: 4, budget: 1 }];
  const first = { ...found({ ...paused, notDelivered: 1, progress: counts }), stageStates };
  answers['fleet_GetOperation'] = [{ body: first }, { body: found(grown) }];
  const { stdout, stderr } = await ask(['operations', 'watch', id]);
  expect(stderr).toContain('Run x: stage 1 of 1, 4 failed, 1 tolerated\n');
  expect(stdout).toBe('✗ Run x: 0 of 9 devices succeeded, 8 failed, 1 device not reached.\n');
});

test('Ctrl-C ends the watching with a code of its own', async () => {
  answers['fleet_GetOperation'] = [{ body: found(running) }];
  const watch = ['operations', 'watch', id];
  expect(await ask(watch, { interrupted: afterFirstLook() })).toMatchObject({
    code: 130,
    stdout: '',
    stderr: expect.stringMatching(new RegExp(`\nThe operation goes on: corral operations watch ${id}\n$`)),
  });
  const { code, stdout } = await ask([...watch, '--json'], { interrupted: afterFirstLook() });
  expect(code).toBe(130);
  expect(JSON.parse(stdout)).toEqual(running);
});

test('watching waits for a hub that is away, and says how to go on when it gives up', async () => {
  const away = { status: 503, body: { kind: 'Internal', message: 'The hub starts.' } };
  answers['fleet_GetOperation'] = [{ body: found(running) }, away, away, { body: found(ended) }];
  expect(await ask(['operations', 'watch', id])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('The hub starts. It is asked again.'),
  });
  answers['fleet_GetOperation'] = [
    { status: 403, body: { kind: 'Forbidden', message: 'The token is over.' } },
  ];
  expect(await ask(['operations', 'watch', id])).toEqual({
    code: 3,
    stdout: '',
    stderr: `Forbidden: The token is over. Go on: corral operations watch ${id}\n`,
  });
});
