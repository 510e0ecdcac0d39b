import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AgentProcess } from '../../test/agent-process.ts';
import { deviceId, HubPeer, token } from '../../test/hub-peer.ts';
import { TerminalClient } from '../../test/terminal-client.ts';
import { ConnectSemaphore } from './connect-semaphore.ts';
import { generateDevice } from './generated-device.ts';
import { generateEvent } from './generated-events.ts';
import { roleOf } from './roles.ts';
import { FleetStatus } from './fleet-status.ts';

let hub: HubPeer;
let state: string;
let running: AgentProcess | undefined;
const approvalToken = `deployment_${'a'.repeat(66)}`;

beforeEach(async () => {
  hub = await HubPeer.start();
  state = await mkdtemp(join(tmpdir(), 'corral-fleet-'));
});

afterEach(async () => {
  running?.child.kill('SIGKILL');
  await running?.ended;
  await hub.stop();
  await rm(state, { recursive: true, force: true });
});

function simulate(devices: number): AgentProcess {
  const args = ['simulate', '--devices', String(devices), '--hub-url', hub.url, '--state', state];
  const tokens = { CORRAL_AGENT_TOKEN: token, CORRAL_AGENT_APPROVAL_TOKEN: approvalToken };
  running = new AgentProcess(args, tokens);
  return running;
}

const fingerprints = (): string[] => hub.upgrades.map((headers) => String(headers['x-device-fingerprint']));

test('every simulated device has its own connection and identity and reports its state', async () => {
  simulate(5);
  await vi.waitFor(() => {
    expect(hub.connections).toHaveLength(5);
    expect(hub.inputsOf('devices_SetDeviceMetadata')).toHaveLength(5);
    expect(hub.inputsOf('devices_PublishDeviceEvents').length).toBeGreaterThan(2);
  });
  expect(new Set(fingerprints()).size).toBe(5);
  expect(new Set(hub.upgrades.map((headers) => headers['x-client-cert'])).size).toBe(5);
  const tokens = hub.upgrades.map((headers) => headers['x-deployment-token']);
  expect(tokens.filter((used) => used === approvalToken)).toHaveLength(1);
  const infos = hub.inputsOf('devices_SetProperty').filter(({ name }) => name === 'dev.nexigon.system.info');
  expect(new Set(infos.map(({ value }) => (value as { hostname: string }).hostname)).size).toBe(5);
  expect(hub.inputsOf('devices_PublishDeviceEvents')[0]).toMatchObject({ deviceId });
});

test('a fleet has the same identities the next time, and ends with its input', async () => {
  const first = simulate(3);
  await vi.waitFor(() => expect(hub.connections).toHaveLength(3));
  first.child.stdin?.end();
  expect(await first.ended).toBe(0);
  const before = fingerprints().sort();
  hub.upgrades.length = 0;
  const second = simulate(3);
  await vi.waitFor(() => expect(hub.upgrades).toHaveLength(3));
  expect(fingerprints().sort()).toEqual(before);
  expect(await second.stop()).toBe(0);
  expect(await readdir(state)).toEqual(['device-00001', 'device-00002', 'device-00003']);
});

test('the second device needs approval, the third flaps, each 25th is mostly away, all others stay connected', () => {
  expect([0, 1, 2, 3].map((index) => roleOf(index, true).needsApproval)).toEqual([false, true, false, false]);
  expect(roleOf(1, false).needsApproval).toBe(false);
  expect(roleOf(0, true).connectedForMs()).toBe(Infinity);
  expect([23, 24, 25, 49].map((index) => roleOf(index, true).connectedForMs() < 20_000)).toEqual([
    false,
    true,
    false,
    true,
  ]);
  expect(roleOf(24, true).disconnectedForMs?.()).toBeGreaterThanOrEqual(1_800_000);
  const flapping = roleOf(2, true);
  for (let round = 0; round < 100; round += 1) {
    expect(flapping.connectedForMs()).toBeGreaterThanOrEqual(20_000);
    expect(flapping.connectedForMs()).toBeLessThan(40_000);
    expect(flapping.disconnectedForMs?.()).toBeGreaterThanOrEqual(10_000);
    expect(flapping.disconnectedForMs?.()).toBeLessThan(20_000);
  }
});

test('the semaphore runs two at once, and none while it is paused', async () => {
  const semaphore = new ConnectSemaphore(2);
  const { signal } = new AbortController();
  const releases = [0, 1, 2].map(() => Promise.withResolvers<void>());
  const inside: number[] = [];
  const works = releases.map((release, index) =>
    semaphore.run(() => (inside.push(index), release.promise), signal),
  );
  await vi.waitFor(() => expect(inside).toEqual([0, 1]));
  semaphore.pause(200);
  const pausedAtMs = performance.now();
  releases[0]?.resolve();
  await works[0];
  expect(inside).toEqual([0, 1]);
  await vi.waitFor(() => expect(inside).toEqual([0, 1, 2]), { interval: 10 });
  expect(performance.now() - pausedAtMs).toBeGreaterThan(190);
  releases.forEach((release) => release.resolve());
  await Promise.all(works);
});

test('the signal cancels work that waits for the semaphore', async () => {
  const semaphore = new ConnectSemaphore(1);
  const stop = new AbortController();
  void semaphore.run(() => Promise.withResolvers<void>().promise, stop.signal);
  const waiting = semaphore.run(() => Promise.resolve(), stop.signal);
  stop.abort(new Error('stopping'));
  await expect(waiting).rejects.toThrow('stopping');
});

test('generated events have every severity, and each is a sentence', () => {
  const events = Array.from({ length: 2_000 }, (_, index) => generateEvent(() => (index * 0.618_034) % 1));
  const severities = new Set(events.map(({ severity }) => severity));
  expect([...severities].sort()).toEqual(['Critical', 'Debug', 'Error', 'Info', 'Trace', 'Warning']);
  for (const { body } of events) expect(body).toMatch(/^[A-Z][^{}]+$/);
});

test('a generated device is the same every time and differs from others', () => {
  expect(generateDevice(7)).toEqual(generateDevice(7));
  expect(generateDevice(7).metadata['serial']).not.toBe(generateDevice(8).metadata['serial']);
  expect(generateDevice(300).systemInfo.networks[1]?.ipAddresses).toEqual(['10.20.1.44']);
});

test('the status is logged at most every ten seconds while it grows, and once when all are disconnected', () => {
  let nowMs = 0;
  const logged: string[] = [];
  const record = (message: unknown): void => void logged.push(String(message));
  const status = new FleetStatus(2, { info: record, warn: record } as never, () => nowMs);
  const pass = (durationMs: number): void => {
    nowMs += durationMs;
    status.tick();
  };
  status.connected();
  pass(1_000);
  status.connected();
  pass(1_000);
  pass(9_000);
  status.disconnected();
  status.connected();
  pass(20_000);
  expect(logged).toEqual([
    '1 of 2 simulated devices are connected',
    '2 of 2 simulated devices are connected',
  ]);
  status.disconnected();
  status.disconnected();
  status.waiting('the hub is away');
  pass(1_000);
  pass(3_000);
  pass(3_000);
  status.connected();
  pass(20_000);
  expect(logged.slice(2)).toEqual([
    'no simulated device is connected because: the hub is away',
    '1 of 2 simulated devices are connected',
  ]);
});

test('a simulated device has a terminal to try', async () => {
  simulate(1);
  const info = () =>
    hub.inputsOf('devices_SetProperty').find(({ name }) => name === 'dev.nexigon.system.info');
  await vi.waitFor(() => expect(info()).toBeDefined());
  expect(info()?.['value']).toMatchObject({
    agent: { config: { terminal: { enabled: true, users: ['root', 'operator'] } } },
  });
  const terminal = new TerminalClient(await hub.newest.openChannel('terminal/operator'));
  await terminal.resize(90, 30);
  await terminal.type('echo a  bc\x7f\rwhoami\rsize\rrm x\ryes no\r');
  await terminal.says(/\r\na b\r\n.*\r\noperator\r\n.*\r\n90 x 30\r\n.*rm: command not found/s);
  await terminal.says(/(no\r\n){600}/);
  await terminal.type('\x03exit 3\r');
  expect(await terminal.exit).toBe(3);
});
