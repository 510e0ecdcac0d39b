import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RpcOutput } from '@corral/multiplex';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AgentProcess } from '../../test/agent-process.ts';
import { HubPeer, ok, token } from '../../test/hub-peer.ts';
import { parseFaults } from './faults.ts';

let hub: HubPeer;
let state: string;
let running: AgentProcess | undefined;
let claims: ((work: readonly unknown[]) => void)[];
let properties: Record<string, { value: unknown; version: number }>;

beforeEach(async () => {
  hub = await HubPeer.start();
  claims = [];
  properties = {};
  hub.answers['devices_ClaimOperationWork'] = () =>
    new Promise<RpcOutput>((resolve) => claims.push((work) => resolve(ok({ work }))));
  hub.answers['devices_GetDeviceProperty'] = async ({ name }) => {
    const property = properties[String(name)];
    return ok(property === undefined ? { result: 'NotFound' } : { result: 'Found', ...property });
  };
  state = await mkdtemp(join(tmpdir(), 'corral-fleet-'));
});

afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.ended;
  await hub.stop();
  await rm(state, { recursive: true, force: true });
});

function simulate(...more: string[]): void {
  const args = ['simulate', '--devices', '1', '--hub-url', hub.url, '--state', state, ...more];
  running = new AgentProcess(args, { CORRAL_AGENT_TOKEN: token });
}

async function handOut(command: string, input: unknown): Promise<void> {
  const claim = await vi.waitFor(() => {
    const newest = claims.pop();
    if (newest === undefined) throw new Error('the device does not ask for work');
    return newest;
  });
  claim([
    {
      deviceOperationId: `d_op_${'1'.repeat(22)}`,
      claimId: `d_op_claim_${'1'.repeat(22)}`,
      operationName: 'a test',
      stepIndex: 0,
      step: { kind: 'DeviceCommand', command, input },
    },
  ]);
}

const reports = () => hub.inputsOf('devices_ReportOperationStep').map(({ report }) => report);
const written = (name: string) =>
  hub
    .inputsOf('devices_SetDeviceProperty')
    .flatMap((input) => (input['name'] === name ? [input['value']] : []));
const press = { repository: 'acme', package: 'press', version: '2.0.0' };
const released = { ...press, versionId: `pkg_v_${'1'.repeat(22)}`, tag: 'stable', assets: [] };

test('a simulated device offers commands, checks their input, and does the steps of operations', async () => {
  simulate();
  await handOut('restart-service', { unit: 'camera' });
  await vi.waitFor(() => expect(reports()).toHaveLength(1));
  expect(reports()[0]).toEqual({
    status: 'Failed',
    error: 'The input of the command restart-service does not fit: unit must be one of "gateway", "modem".',
  });
  await handOut('restart-service', { unit: 'modem' });
  await vi.waitFor(() =>
    expect(reports()[1]).toEqual({ status: 'Succeeded', output: { unit: 'modem', active: true } }),
  );
  const [info] = hub.inputsOf('devices_SetProperty');
  expect(info?.['value']).toMatchObject({ agent: { config: { commands: { enabled: true } } } });
  expect(written('dev.nexigon.commands')[0]).toMatchObject({
    commands: [
      { name: 'reboot' },
      { name: 'collect-logs' },
      { name: 'restart-service' },
      { name: 'install' },
    ],
  });
});

test('an installation ends with a restart, after which the device reports the version, also the next time', async () => {
  simulate();
  await handOut('install', released);
  await vi.waitFor(() => expect(written('corral.installed')).toEqual([press]));
  expect(reports()).toEqual([{ status: 'Succeeded', output: { version: '2.0.0' } }]);
  expect(hub.connections).toHaveLength(2);
  expect(written('app.version').at(-1)).toBe('2.0.0');
  await running?.stop();
  hub.calls.length = 0;
  claims = [];
  simulate();
  await vi.waitFor(() => expect(written('app.version')).toEqual(['2.0.0']));
  await handOut('install', released);
  await vi.waitFor(() => expect(written('corral.installed')).toEqual([press]));
  expect(hub.connections).toHaveLength(3);
});

test.each([
  ['old-version', { ...press, version: '1.4.1' }],
  ['stale-property', undefined],
])(
  'with the fault %s of its property, a device restarts and does not report the new version',
  async (fault, told) => {
    properties['simulation.fault'] = { value: fault, version: 1 };
    simulate();
    await handOut('install', released);
    await vi.waitFor(() => expect(hub.connections).toHaveLength(2));
    await vi.waitFor(() => expect(claims.length).toBeGreaterThan(0));
    await vi.waitFor(() => expect(written('app.version').length).toBeGreaterThan(1));
    expect(written('app.version')).not.toContain('2.0.0');
    if (told !== undefined) await vi.waitFor(() => expect(written('corral.installed')).toEqual([told]));
    else expect(written('corral.installed')).toEqual([]);
  },
);

test.each([
  ['cut-begun', { status: 'Failed', error: expect.stringContaining('interrupted') }],
  ['cut-running', { status: 'Failed', error: expect.stringContaining('interrupted') }],
  ['cut-finished', { status: 'Succeeded', output: { unit: 'modem', active: true } }],
  [
    'fails',
    {
      status: 'Failed',
      error: expect.stringMatching(/exit code 1.\nrestart-service: the device is simulated/),
    },
  ],
])('with the fault %s the step is reported once', async (fault, report) => {
  simulate('--faults', `${fault}=100`);
  await handOut('restart-service', { unit: 'modem' });
  if (fault !== 'fails') {
    await vi.waitFor(() => expect(hub.connections).toHaveLength(2));
    await handOut('restart-service', { unit: 'modem' });
  }
  await vi.waitFor(() => expect(reports()).toEqual([report]));
});

test('the same share of devices fails with the same seed', () => {
  const faultOf = parseFaults('fails=5, slow=20%', 7);
  const faults = Array.from({ length: 2_000 }, (_, index) => faultOf(index));
  const count = (fault: string) => faults.filter((of) => of === fault).length;
  expect(count('fails')).toBeGreaterThan(70);
  expect(count('fails')).toBeLessThan(130);
  expect(count('slow')).toBeGreaterThan(340);
  expect(count('slow')).toBeLessThan(460);
  expect(Array.from({ length: 2_000 }, (_, index) => parseFaults('fails=5,slow=20', 7)(index))).toEqual(
    faults,
  );
  expect(() => parseFaults('breaks=5', 7)).toThrow('--faults must be such as fails=5,slow=20');
  expect(() => parseFaults('fails=60,slow=60', 7)).toThrow('100 percent together at most');
});

test('a device finds the version that it shall have in the property of Rugix, and reports that it is done', async () => {
  const versionId = `pkg_v_${'1'.repeat(22)}`;
  properties['dev.nexigon.ota.config'] = { value: { path: `acme/press/${versionId}` }, version: 1 };
  hub.answers['repositories_GetPackageVersionDetails'] = ok({ versionId, name: '2.0.0' });
  simulate();
  await vi.waitFor(() =>
    expect(written('dev.nexigon.ota.status').at(-1)).toEqual({ state: 'completed', currentVersion: '2.0.0' }),
  );
  expect(written('dev.nexigon.ota.status')[0]).toEqual({ state: 'installing', currentVersion: '1.4.1' });
});
