import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newDevice, type OpenLink } from '../../../test/device-client.ts';
import { gatewayScene, deviceIdOf, type GatewayScene } from '../../../test/gateway-scene.ts';

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

describe('presence', () => {
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
});
