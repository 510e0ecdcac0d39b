import { ActionError, type Id } from '@corral/contract';
import type { Channel, ChannelRequest } from '@corral/multiplex';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RegisterClusterNode } from '../../domains/instance/internal/RegisterClusterNode.ts';
import { type GatewayOperations, gatewayOperations } from '../../../test/gateway-operations.ts';
import { gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';
import { connectLink, deviceHeaders, isOpen } from '../../../test/device-client.ts';
import { newerShapes } from '../../../test/strict-shapes.ts';
import { connectAgent, cutPoints, type Disk, frameOf, newDisk } from '../../../test/operation-agents.ts';

let scene: GatewayScene;
let operations: GatewayOperations;
let disk: Disk;
beforeEach(async () => {
  scene = await gatewayScene();
  operations = await gatewayOperations(scene);
  disk = await newDisk();
});
afterEach(() => scene[Symbol.asyncDispose]());

const isConnected = (deviceId: Id<'device'>, is = true) =>
  vi.waitFor(async () => expect((await scene.details(deviceId)).isConnected).toBe(is), { timeout: 10_000 });
/** Fulfilled when the device has begun so many commands. */
const begun = (count: number) =>
  vi.waitFor(() => expect(disk.effects).toHaveLength(count), { timeout: 10_000 });
const openConnections = async (deviceId: Id<'device'>) =>
  (await scene.hub.as(scene.owner, 'devices_QueryConnections', { deviceId, activeOnly: true })).connections
    .length;
const never = () => new Promise<never>(() => {});

describe('a held claim', () => {
  test('is answered as soon as there is a step', async () => {
    const agent = await connectAgent(scene, disk, { commands: false });
    const id = await operations.run(agent.deviceId);
    expect(await operations.ended(id)).toMatchObject({
      summary: { status: 'Succeeded' },
      stepStates: [{ status: 'Succeeded', output: 'touched', carrier: 'Claim' }],
    });
    expect([disk.effects, disk.ledger.size]).toEqual([['touch'], 0]);
  });

  test('takes no place from other calls, however many are held', async () => {
    const agent = await connectAgent(scene, disk, { commands: false, operations: false });
    const held = Array.from({ length: 12 }, () => agent.claim());
    const rpc = await agent.link.rpc();
    for (let count = 0; count < 3; count += 1) await rpc.invoke('actor_GetActor', {});
    await operations.run(agent.deviceId);
    const first = await Promise.race(held);
    expect(first).toHaveLength(1);
    agent.cut();
    await Promise.allSettled(held);
  });

  test('ends with its connection, and the step waits for the next one', async () => {
    const first = await connectAgent(scene, disk, { commands: false });
    first.cut();
    await isConnected(first.deviceId, false);
    const id = await operations.run(first.deviceId);
    expect((await operations.get(id)).summary.status).toBe('Pending');
    await connectAgent(scene, disk, { commands: false });
    expect((await operations.ended(id)).summary.status).toBe('Succeeded');
    expect(disk.effects).toEqual(['touch']);
  });

  test('of another device, of a person and of a one-shot connection is not held', async () => {
    const agent = await connectAgent(scene, disk, { commands: false, operations: false });
    const other = await connectAgent(scene, await newDisk(), { commands: false, operations: false });
    const rpc = await agent.link.rpc();
    const claim = rpc.invoke('devices_ClaimOperationWork', { deviceId: other.deviceId });
    await expect(claim).rejects.toThrow('Device not found.');
    await expect(rpc.invoke('devices_ClaimOperationWork', { deviceId: 7 })).rejects.toThrow(/deviceId/);
    const script = await scene.connectDevice(disk.device, scene.token, false);
    const answer = await (
      await script.rpc()
    ).invoke('devices_ClaimOperationWork', { deviceId: agent.deviceId });
    expect(answer).toEqual({ work: [] });
  });

  test('is answered with nothing when the hub stops', async () => {
    const agent = await connectAgent(scene, disk, { commands: false });
    await vi.waitFor(() => expect(agent.claims).toEqual([]));
    await (await agent.link.rpc()).invoke('actor_GetActor', {});
    await scene.gateway.stop();
    await agent.ended;
    expect(agent.claims).toEqual([[]]);
  });
});

describe('a hub that stops', () => {
  test('waits for commands, records their results and hands out nothing more', async () => {
    const ends = Promise.withResolvers<object>();
    disk.commands.set('touch', () => ends.promise);
    const agent = await connectAgent(scene, disk, { commands: false });
    const id = await operations.run(agent.deviceId);
    const next = await operations.run(agent.deviceId);
    await begun(1);
    expect(scene.gateway.runningCommands).toBe(1);
    const stopped = scene.gateway.stop();
    ends.resolve({ output: 'late' });
    await stopped;
    expect((await operations.get(id)).summary.status).toBe('Succeeded');
    expect((await operations.get(next)).summary.status).not.toBe('Succeeded');
    expect(disk.effects).toEqual(['touch']);
    expect(scene.logged).toContain('waiting for commands that run on devices');
  });
});

test('a hub that stops hands out nothing, also to claims that arrive meanwhile', async () => {
  const ends = Promise.withResolvers<object>();
  disk.commands.set('touch', () => ends.promise);
  const agent = await connectAgent(scene, disk, { commands: false });
  await operations.run(agent.deviceId);
  await begun(1);
  const other = await connectAgent(scene, await newDisk(), { commands: false, operations: false });
  const id = await operations.run(other.deviceId);
  const stopped = scene.gateway.stop();
  expect(await other.claim()).toEqual([]);
  expect((await operations.get(id)).stepStates[0]).not.toHaveProperty('carrier');
  ends.resolve({});
  await stopped;
  expect(scene.gateway.runningCommands).toBe(0);
});

describe('a channel for commands', () => {
  test('is what a person gets on one device, with its log', async () => {
    const log = ['first', 'x'.repeat(70_000), 'last'];
    disk.commands.set('touch', () => ({ output: { ok: true }, log }));
    const agent = await connectAgent(scene, disk);
    const id = await operations.run(agent.deviceId);
    const { summary, stepStates } = await operations.ended(id);
    expect(summary.status).toBe('Succeeded');
    expect(stepStates[0]).toMatchObject({ carrier: 'Channel', output: { ok: true } });
    expect(stepStates[0]?.log?.at(-1)).toBe('last');
    expect(Buffer.byteLength(stepStates[0]?.log?.join('\n') ?? '')).toBeLessThanOrEqual(65_536);
    expect(agent.endpoints).toEqual(['handler']);
  });

  test('carries an error of the command', async () => {
    disk.commands.set('touch', () => ({ error: 'the disk is full', log: ['tried'] }));
    const agent = await connectAgent(scene, disk, { operations: false });
    const { summary, stepStates } = await operations.ended(await operations.run(agent.deviceId));
    expect(summary).toMatchObject({ status: 'Failed', lastError: 'the disk is full' });
    expect(stepStates[0]?.log).toEqual(['tried']);
  });

  test('that is lost leaves an outcome that nobody knows, and the command is not repeated', async () => {
    disk.commands.set('touch', never);
    const agent = await connectAgent(scene, disk, { operations: false, runsOn: true });
    const id = await operations.run(agent.deviceId);
    await begun(1);
    agent.cut();
    expect((await operations.ended(id)).summary).toMatchObject({ status: 'Failed', outcome: 'Unknown' });
    await connectAgent(scene, disk);
    await operations.tick();
    expect(disk.effects).toEqual(['touch']);
  });

  test('is not lost when its node goes on under another id', async () => {
    const ends = Promise.withResolvers<object>();
    disk.commands.set('touch', () => ends.promise);
    const agent = await connectAgent(scene, disk, { operations: false });
    const id = await operations.run(agent.deviceId);
    await begun(1);
    scene.moveToNode((await scene.hub.run(RegisterClusterNode, { name: 'again' })).nodeId);
    await scene.gateway.reregister();
    await vi.waitFor(async () => expect(await openConnections(agent.deviceId)).toBe(1), { timeout: 10_000 });
    await operations.tick(10);
    await operations.tick(4);
    ends.resolve({ output: 'true result' });
    expect((await operations.ended(id)).stepStates).toMatchObject([
      { status: 'Succeeded', output: 'true result' },
    ]);
  });

  test("of Corral's own agent ends its command, so that a lost one is an interruption", async () => {
    disk.commands.set('touch', never);
    const agent = await connectAgent(scene, disk, { operations: false, info: 'corral-agent test' });
    const id = await operations.run(agent.deviceId);
    await begun(1);
    agent.cut();
    expect((await operations.ended(id)).summary).toMatchObject({ status: 'Failed', outcome: 'Interrupted' });
  });

  test('that a device refuses leaves the step to a claim', async () => {
    const agent = await connectAgent(scene, disk, { commands: false, operations: false });
    // As if its description were old.
    const value = { agent: { config: { commands: { enabled: true } } } };
    const { deviceId } = agent;
    const rpc = await agent.link.rpc();
    await rpc.invoke('devices_SetProperty', { deviceId, name: 'dev.nexigon.system.info', value });
    const id = await operations.run(deviceId);
    await vi.waitFor(() => expect(agent.endpoints).toEqual(['handler']));
    await vi.waitFor(async () =>
      expect((await operations.get(id)).stepStates).toEqual([
        { stepIndex: 0, status: 'Running', startedAt: expect.any(String) },
      ]),
    );
    expect(await agent.claim()).toMatchObject([{ deviceOperationId: id }]);
    expect(agent.endpoints).toHaveLength(1);
  });

  test.each([
    ['no JSON', Buffer.from([0, 0, 0, 3, 120, 120, 120])],
    ['a frame of 2 GiB', Buffer.from([128, 0, 0, 0])],
    ['an empty frame', Buffer.from([0, 0, 0, 0])],
    ['an unknown message', frameOf({ type: 'Hello' })],
    ['a result without a status', frameOf({ type: 'Done', logTail: [] })],
  ])('with %s fails the step', async (_what, bytes) => {
    const { deviceId } = await rawAgent(async (channel) => {
      await channel.write(bytes);
    });
    const { summary } = await operations.ended(await operations.run(deviceId));
    expect(summary).toMatchObject({
      status: 'Failed',
      lastError: 'The device sent something that is no result.',
    });
  });

  test('keeps what PostgreSQL does not store in another form', async () => {
    disk.commands.set('touch', () => ({ output: { 'a\0b': '\ud800' }, log: ['nul \0'] }));
    const agent = await connectAgent(scene, disk, { operations: false });
    const { stepStates } = await operations.ended(await operations.run(agent.deviceId));
    expect(stepStates).toMatchObject([
      { status: 'Succeeded', output: { 'a\ufffdb': '\ufffd' }, log: ['nul \ufffd'] },
    ]);
  });

  async function rawAgent(serve: (channel: Channel) => Promise<void>) {
    const onRequest = (request: ChannelRequest): void => void serve(request.accept());
    const link = await connectLink(scene.url, deviceHeaders(disk.device, scene.token), onRequest);
    if (!isOpen(link)) throw new Error(link.body.message);
    const rpc = await link.rpc();
    const { actor } = (await rpc.invoke('actor_GetActor', {})) as { actor: { deviceId: Id<'device'> } };
    const value = { agent: { config: { commands: { enabled: true } } } };
    await rpc.invoke('devices_SetProperty', {
      deviceId: actor.deviceId,
      name: 'dev.nexigon.system.info',
      value,
    });
    return actor;
  }
});

test('an agent of 2025-09 gets no endpoint that would end it, whatever is known of its device', async () => {
  const { deviceId, peer } = await scene.oldAgent({ device: disk.device });
  const value = { agent: { config: { commands: { enabled: true } } } };
  await scene.hub.as(scene.owner, 'devices_SetDeviceProperty', {
    deviceId,
    name: 'dev.nexigon.system.info',
    value,
  });
  const id = await operations.run(deviceId);
  await operations.tick();
  await peer.call('actor_GetActor', {});
  expect(peer.endpoints).toEqual([]);
  expect((await operations.get(id)).stepStates).toMatchObject([{ status: 'Running' }]);
  const set = { kind: 'SetDeviceProperty' as const, name: 'wanted', value: 2 };
  await scene.hub.as(scene.owner, 'devices_CancelOperation', { deviceOperationId: id });
  expect((await operations.ended(await operations.run(deviceId, { steps: [set] }))).summary.status).toBe(
    'Succeeded',
  );
});

describe('the report of a step', () => {
  test('is never refused, whatever it has', async () => {
    const agent = await connectAgent(scene, disk, { commands: false, operations: false });
    const { deviceId } = agent;
    const id = await operations.run(deviceId);
    const [work] = await agent.claim();
    newerShapes['devices_ClaimOperationWork']?.parse({ work: [work] });
    const rpc = await agent.link.rpc();
    const of = { deviceId, deviceOperationId: id, stepIndex: 0, claimId: work?.claimId };
    const report = (more: object) => rpc.invoke('devices_ReportOperationStep', { ...of, ...more });
    expect(await report({ deviceOperationId: 'nothing', report: { status: 'Failed' } })).toEqual({});
    expect(await report({ report: { status: 'Exploded' } })).toEqual({});
    expect(await report({ report: undefined })).toEqual({});
    expect(await rpc.invoke('devices_ReportOperationStep', null)).toEqual({});
    expect(await report({ report: { status: 'Succeeded', output: { nul: '\0' } } })).toEqual({});
    const { summary, stepStates } = await operations.get(id);
    expect(summary.status).toBe('Succeeded');
    expect(stepStates[0]?.output).toMatch(/^\{"nul":/);
  });

  test('waits until the database is there again', async () => {
    const { executor } = scene.hub;
    const { execute } = executor;
    let reports = 0;
    executor.execute = (caller, name, input) => {
      if (name !== 'devices_ReportOperationStep' || (reports += 1) > 1) return execute(caller, name, input);
      return Promise.reject(new ActionError('NotReady', 'The database is not ready.'));
    };
    const agent = await connectAgent(scene, disk, { commands: false });
    const id = await operations.run(agent.deviceId);
    const { summary, stepStates } = await operations.ended(id);
    executor.execute = execute;
    expect([summary.status, stepStates[0]?.output, reports]).toEqual(['Succeeded', 'touched', 2]);
    expect(agent.claims.filter((work) => work.length > 0)).toHaveLength(1);
    expect(disk.effects).toEqual(['touch']);
  });

  test('that cannot be read fails the step', async () => {
    const agent = await connectAgent(scene, disk, { commands: false, operations: false });
    const { deviceId } = agent;
    const id = await operations.run(deviceId);
    const [work] = await agent.claim();
    const of = { deviceId, deviceOperationId: id, stepIndex: 0, claimId: work?.claimId };
    const output = JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) as unknown;
    const rpc = await agent.link.rpc();
    const answer = rpc.invoke('devices_ReportOperationStep', {
      ...of,
      report: { status: 'Succeeded', output },
    });
    expect(await answer).toEqual({});
    const { summary } = await operations.get(id);
    expect(summary).toMatchObject({ status: 'Failed', lastError: expect.stringMatching(/nested deeper/) });
  });
});

describe('a connection that is cut', () => {
  test.each(cutPoints)('at the point "%s" loses no result, and the command runs once', async (point) => {
    let isCut = false;
    const first = await connectAgent(scene, disk, { commands: false, operations: false });
    const { deviceId } = first;
    first.cut();
    await isConnected(deviceId, false);
    const id = await operations.run(deviceId);
    const at = (reached: string, cut: () => void): void => {
      if (reached !== point || isCut) return;
      isCut = true;
      cut();
    };
    const agent = await connectAgent(scene, disk, { commands: false, at });
    await vi.waitFor(
      async () => {
        await operations.tick();
        expect(isCut).toBe(true);
      },
      { timeout: 10_000, interval: 30 },
    );
    await agent.link.connection.closed;
    await agent.ended;
    await isConnected(deviceId, false);
    const wasInterrupted = [...disk.ledger.values()].some(({ report }) => report === undefined);
    await connectAgent(scene, disk, { commands: false });
    const { summary } = await operations.ended(id);
    expect(disk.effects.length).toBeLessThanOrEqual(1);
    if (wasInterrupted) expect(summary).toMatchObject({ status: 'Failed', outcome: 'Interrupted' });
    else expect([summary.status, disk.effects]).toEqual(['Succeeded', ['touch']]);
  });

  test('in the moment in which its operation starts loses no result either', async () => {
    const agent = await connectAgent(scene, disk, { commands: false });
    const started = operations.run(agent.deviceId);
    agent.cut();
    const id = await started;
    await isConnected(agent.deviceId, false);
    await connectAgent(scene, disk, { commands: false });
    const { summary } = await operations.ended(id);
    expect(disk.effects.length).toBeLessThanOrEqual(1);
    expect(['Succeeded', 'Failed']).toContain(summary.status);
  });
});

test('a clone that claims while the device runs its command gets nothing', async () => {
  disk.commands.set('touch', never);
  const device = await connectAgent(scene, disk, { commands: false });
  const id = await operations.run(device.deviceId);
  await begun(1);
  const clone: Disk = { ...(await newDisk()), device: disk.device };
  const execute = vi.spyOn(scene.hub.executor, 'execute');
  const other = await connectAgent(scene, clone, { commands: false });
  const isClaim = ([, name]: readonly unknown[]) => name === 'devices_ClaimOperationWork';
  await vi.waitFor(() => expect(execute.mock.calls.some(isClaim)).toBe(true), { timeout: 10_000 });
  await execute.mock.results[execute.mock.calls.findIndex(isClaim)]?.value;
  await operations.tick();
  expect(clone.effects).toEqual([]);
  device.cut();
  await operations.ended(id);
  expect([clone.effects, other.claims.flat()]).toEqual([['touch'], [expect.anything()]]);
});

test('two connections of a device never run one step twice', async () => {
  // One claims, the other one gets channels.
  const agents = [await connectAgent(scene, disk, { commands: false }), await connectAgent(scene, disk)];
  for (let count = 1; count <= 10; count += 1) {
    const id = await operations.run(agents[0]?.deviceId as Id<'device'>);
    expect((await operations.ended(id)).summary.status).toBe('Succeeded');
    expect(disk.effects).toHaveLength(count);
  }
});
