import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { deviceHeaders, newDevice, type TestDevice } from '../../../test/device-client.ts';
import { gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';
import type { FirstGeneration } from '../../../test/first-generation.ts';
import { frame, tags } from '../../../test/first-generation-frames.ts';
import { rawUpgrade, RawWebSocket, type RawAnswer } from '../../../test/raw-web-socket.ts';
import { waitingLocks } from '../../../test/seed.ts';
import { CleanupInactiveClusterNodes } from '../../domains/instance/internal/CleanupInactiveClusterNodes.ts';
import { RegisterClusterNode } from '../../domains/instance/internal/RegisterClusterNode.ts';

let scene: GatewayScene;
beforeEach(async () => void (scene = await gatewayScene()));
afterEach(() => scene[Symbol.asyncDispose]());

/** Locks a device's row, so that recording its connections blocks. Returns a function that releases it. */
async function hold(deviceId: Id<'device'>, meanwhile = sql`select 1`): Promise<() => Promise<void>> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: onHeld } = Promise.withResolvers<void>();
  const { db } = scene.hub.database;
  const holding = db.transaction().execute(async (tx) => {
    await sql`select 1 from devices where device_id = ${ids.device.raw(deviceId)} for update`.execute(tx);
    onHeld();
    await released;
    await meanwhile.execute(tx);
  });
  await held;
  return async () => {
    release();
    await holding;
  };
}

const waitForLocks = (count: number) =>
  vi.waitFor(async () => expect(await waitingLocks(scene.hub.database.db)).toBe(count));

/** A connected agent with its credentials. */
async function connectedAgent(): Promise<{
  device: TestDevice;
  deviceId: Id<'device'>;
  peer: FirstGeneration;
}> {
  const device = await newDevice();
  return scene.oldAgent({ device });
}

function reconnect(device: TestDevice): Promise<RawWebSocket | RawAnswer> {
  return rawUpgrade(scene.url, deviceHeaders(device, scene.token));
}

async function connectionsOf(deviceId: Id<'device'>): Promise<number> {
  return (await scene.details(deviceId)).connections.length;
}

describe('two connections of one device', () => {
  test('the older one accepts channels while the newer one is being admitted', async () => {
    const { device, deviceId, peer } = await connectedAgent();
    const cli = await scene.oldCommandLine();
    const release = await hold(deviceId);
    const second = reconnect(device);
    await waitForLocks(1);
    await cli.open(`device/${deviceId}/proxy/forward/tcp/1`);
    expect(peer.endpoints).toEqual(['forward/tcp/1']);
    await release();
    expect(await second).toBeInstanceOf(RawWebSocket);
  });

  test('the newer one accepts channels while the older one hangs, and the device stays connected when that one is closed', async () => {
    const device = await newDevice();
    const { deviceId, peer: hanging } = await scene.oldAgent({ device, pingsOnce: true });
    hanging.webSocket.socket.pause();
    const { peer } = await scene.oldAgent({ device, pingsOnce: true });
    expect(await connectionsOf(deviceId)).toBe(2);
    const cli = await scene.oldCommandLine();
    await cli.open(`device/${deviceId}/proxy/forward/tcp/1`);
    expect(peer.endpoints).toEqual(['forward/tcp/1']);
    scene.advance(19_000);
    peer.send(frame(tags.ping));
    await vi.waitFor(() => expect(peer.frames.filter(([tag]) => tag === tags.pong)).toHaveLength(2));
    scene.advance(1_000);
    await vi.waitFor(async () => expect(await connectionsOf(deviceId)).toBe(1));
    expect(await scene.details(deviceId)).toMatchObject({ isConnected: true });
    expect(peer.webSocket.isEnded).toBe(false);
    hanging.webSocket.socket.destroy();
  });

  test('are at most four: the oldest is closed', async () => {
    const { device, deviceId, peer: oldest } = await connectedAgent();
    for (let count = 2; count <= 5; count += 1) await scene.oldAgent({ device });
    await oldest.webSocket.ended;
    expect(oldest.connectionClose).toBe('the device has too many connections');
    await vi.waitFor(async () => expect(await connectionsOf(deviceId)).toBe(4));
  });
});

describe('a connection that is being recorded', () => {
  test('is refused when its certificate is revoked meanwhile', async () => {
    const { device, deviceId, peer } = await connectedAgent();
    peer.leave();
    await vi.waitFor(async () => expect(await connectionsOf(deviceId)).toBe(0));
    const release = await hold(deviceId, sql`update device_certificates set status = 'Revoked'`);
    const answer = reconnect(device);
    await waitForLocks(1);
    await release();
    expect(await answer).toMatchObject({ status: 403, body: expect.stringContaining('"kind":"Forbidden"') });
    expect(await connectionsOf(deviceId)).toBe(0);
    expect(scene.gateway.counts).toEqual({ devices: 0, links: 0 });
  });

  test('is refused when the hub stops meanwhile, and none is left', async () => {
    const { device, deviceId } = await connectedAgent();
    const release = await hold(deviceId);
    const answer = reconnect(device);
    await waitForLocks(1);
    const stopped = scene.gateway.stop();
    await release();
    await stopped;
    expect(await answer).toMatchObject({ status: 503 });
    expect(scene.gateway.counts).toEqual({ devices: 0, links: 0 });
    expect(await scene.details(deviceId)).toMatchObject({ isConnected: false });
  });

  test('is not kept when the device disconnects meanwhile', async () => {
    const { device, deviceId, peer } = await connectedAgent();
    peer.leave();
    await vi.waitFor(async () => expect(await connectionsOf(deviceId)).toBe(0));
    const release = await hold(deviceId);
    const answer = reconnect(device);
    await waitForLocks(1);
    await release();
    ((await answer) as RawWebSocket).socket.destroy();
    await vi.waitFor(async () => expect(await connectionsOf(deviceId)).toBe(0));
    expect(scene.gateway.counts).toEqual({ devices: 0, links: 0 });
  });
});

describe('a node that continues under a new id', () => {
  async function move(): Promise<void> {
    const { nodeId } = await scene.hub.run(RegisterClusterNode, { name: 'revived' });
    scene.moveToNode(nodeId);
  }

  test('registers its connections again, each once', async () => {
    const { deviceId: before } = await connectedAgent();
    scene.hub.advance(60);
    await move();
    const { deviceId: after } = await connectedAgent();
    await scene.gateway.reregister();
    await scene.gateway.reregister();
    await scene.hub.run(CleanupInactiveClusterNodes);
    expect([await connectionsOf(before), await connectionsOf(after)]).toEqual([1, 1]);
  });

  test('keeps no connection that ended while it was registered again', async () => {
    const { deviceId, peer } = await connectedAgent();
    await move();
    const release = await hold(deviceId);
    const reregistered = scene.gateway.reregister();
    await waitForLocks(1);
    peer.leave();
    await vi.waitFor(() => expect(scene.gateway.counts.devices).toBe(0));
    await release();
    await reregistered;
    await vi.waitFor(async () => expect(await scene.details(deviceId)).toMatchObject({ isConnected: false }));
  });

  test('closes connections that it cannot register', async () => {
    const { peer } = await connectedAgent();
    scene.moveToNode(ids.clusterNode.of('1'.repeat(22)) as Id<'clusterNode'>);
    await scene.gateway.reregister();
    await peer.webSocket.ended;
    expect(peer.connectionClose).toBe('go elsewhere');
  });
});
