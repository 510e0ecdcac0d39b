import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newDevice, type OpenLink } from '../../test/device-client.ts';
import { gatewayScene, deviceIdOf, type GatewayScene } from '../../test/gateway-scene.ts';
import { RegisterClusterNode } from '../internal/cluster/RegisterClusterNode.ts';

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

describe('presence', () => {
  test('a one-shot connection runs actions and leaves the device disconnected', async () => {
    const device = await newDevice();
    const link = await scene.connectDevice(device, scene.token, false);
    const deviceId = await deviceIdOf(link);
    expect(await scene.details(deviceId)).toMatchObject({ isConnected: false, connections: [] });
    link.connection.close('');
  });

  test.each([
    ['the end of the TCP connection', (link: OpenLink) => link.socket.end()],
    ['a reset TCP connection', (link: OpenLink) => link.socket.destroy()],
    ['a Close frame', (link: OpenLink) => link.connection.close('bye')],
  ])('%s disconnects the device at once', async (_how, leave) => {
    const link = await scene.connectDevice(await newDevice());
    const deviceId = await deviceIdOf(link);
    leave(link);
    await vi.waitFor(
      async () => expect(await scene.details(deviceId)).toMatchObject({ isConnected: false }),
      // Sooner than a missing answer to a ping would be noticed.
      { timeout: 15_000 },
    );
    // The database shows the end before its commit is answered.
    await expect
      .poll(() => scene.hub.emittedEvents)
      .toContainEqual(
        expect.objectContaining({
          name: 'devices_ConnectionChanged',
          data: expect.objectContaining({ deviceId, isConnected: false }),
        }),
      );
  });

  test('each connection of a device says from which address it comes', async () => {
    const device = await newDevice();
    const link = await scene.connectDevice(device);
    await scene.connectDevice(device);
    const { connections } = await scene.details(await deviceIdOf(link));
    expect(connections.map(({ address }) => address)).toEqual(['127.0.0.1', '127.0.0.1']);
  });

  test('a node that lost its lease registers its connections again', async () => {
    const link = await scene.connectDevice(await newDevice());
    const deviceId = await deviceIdOf(link);
    scene.hub.advance(60);
    expect(await scene.details(deviceId)).toMatchObject({ isConnected: false });
    const revived = await scene.hub.run(RegisterClusterNode, { name: 'revived' });
    scene.moveToNode(revived.nodeId);
    await scene.gateway.reregister();
    expect(await scene.details(deviceId)).toMatchObject({
      isConnected: true,
      connections: [{ nodeId: revived.nodeId }],
    });
    link.connection.close('');
  });
});

test('stopping ends every connection and records the reason', async () => {
  const own = await gatewayScene();
  const link = await own.connectDevice();
  const deviceId = await deviceIdOf(link);
  await own.gateway.stop();
  expect(await link.connection.closed).toMatchObject({ cause: 'peer', reason: 'the hub is stopping' });
  const { recentConnections } = await own.details(deviceId);
  expect(recentConnections).toMatchObject([{ endReason: 'ServerShutdown' }]);
  await own[Symbol.asyncDispose]();
});
