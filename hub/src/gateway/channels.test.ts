import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectLink, deviceHeaders, isOpen, newDevice } from '../../test/device-client.ts';
import { gatewayScene, deviceIdOf, type GatewayScene } from '../../test/gateway-scene.ts';
import { absentId } from '../../test/fresh-executor.ts';

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

describe('channels', () => {
  test('an executor channel answers errors in the wire envelope', async () => {
    const link = await scene.connectDevice(await newDevice());
    const rpc = await link.rpc();
    await expect(rpc.invoke('nonsense_Do', {})).rejects.toMatchObject({ kind: 'Invalid' });
    await expect(rpc.invoke('users_QueryUsers', {})).rejects.toMatchObject({ kind: 'Forbidden' });
    await expect(
      rpc.invoke('devices_GetDeviceDetails', { deviceId: absentId('device') }),
    ).rejects.toMatchObject({ kind: 'Invalid' });
    expect(await rpc.invoke('actor_GetActor', {})).toMatchObject({
      actor: { actor: 'Device', kind: 'Device' },
    });
    link.connection.close('');
  });

  test('a connection has at most eight executor channels, and gets another when one closes', async () => {
    const link = await scene.connectDevice(await newDevice());
    const clients = await Promise.all(Array.from({ length: 8 }, () => link.rpc()));
    await expect(link.rpc()).rejects.toThrow('too many executor channels');
    clients[0]?.close();
    await vi.waitFor(async () => expect(await (await link.rpc()).invoke('actor_GetActor', {})).toBeDefined());
    link.connection.close('');
  });

  test('who asks for executor channels without end is disconnected after forty rejections', async () => {
    const link = await scene.connectDevice(await newDevice());
    const asked = Array.from({ length: 60 }, () => link.rpc().catch((error: unknown) => String(error)));
    const answers = await Promise.all(asked);
    const rejections = answers.filter((answer) => String(answer).includes('too many executor channels'));
    expect(rejections.length).toBeGreaterThan(30);
    expect(rejections.length).toBeLessThanOrEqual(41);
    expect(await link.connection.closed).toMatchObject({ reason: 'too many control frames' });
  });

  test('an unknown endpoint is rejected with a readable reason', async () => {
    const link = await scene.connectDevice(await newDevice());
    await expect(link.connection.openChannel('nonsense')).rejects.toThrow('unknown endpoint');
    link.connection.close('');
  });

  async function commandLine() {
    const { headers, tokenId } = await scene.userHeaders();
    const answer = await connectLink(scene.url, headers);
    if (!isOpen(answer)) throw new Error(answer.body.message);
    return { link: answer, tokenId };
  }

  test('a command line forwards bytes to a port of a device in both directions until each ends', async () => {
    const opened: string[] = [];
    const device = await connectLink(scene.url, deviceHeaders(await newDevice(), scene.token), (request) => {
      opened.push(request.endpoint);
      const channel = request.accept();
      void (async () => {
        for await (const bytes of channel) await channel.write(bytes);
        channel.end();
      })();
    });
    if (!isOpen(device)) throw new Error('refused');
    const deviceId = await deviceIdOf(device);
    const { link } = await commandLine();
    const channel = await link.connection.openChannel(`device/${deviceId}/proxy/forward/tcp/8080`);
    const sent = Buffer.alloc(300_000, 'corral');
    const received: Uint8Array[] = [];
    void channel.write(sent).then(() => channel.end());
    for await (const bytes of channel) received.push(bytes);
    expect(Buffer.concat(received).equals(sent)).toBe(true);
    expect(opened).toEqual(['forward/tcp/8080']);
    link.connection.close('');
    device.connection.close('');
  });

  test.each([
    [
      'a device that is not connected',
      () => `device/${absentId('device')}/proxy/forward/tcp/80`,
      'permission denied',
    ],
    ['a port out of range', () => `device/${absentId('device')}/proxy/forward/tcp/70000`, 'unknown endpoint'],
  ])('a forward to %s is rejected with a readable reason', async (_what, endpoint, reason) => {
    const { link } = await commandLine();
    await expect(link.connection.openChannel(endpoint())).rejects.toThrow(reason);
    link.connection.close('');
  });

  test('a forward to a device that is not connected is rejected with a readable reason', async () => {
    const device = await scene.connectDevice(await newDevice());
    const deviceId = await deviceIdOf(device);
    device.connection.close('');
    await vi.waitFor(async () => expect(await scene.details(deviceId)).toMatchObject({ isConnected: false }));
    const { link } = await commandLine();
    await expect(link.connection.openChannel(`device/${deviceId}/proxy/forward/tcp/80`)).rejects.toThrow(
      'device not connected',
    );
    link.connection.close('');
  });

  test('deleting the user token ends the connection of the command line', async () => {
    const { link, tokenId: userTokenId } = await commandLine();
    await scene.hub.as(scene.owner, 'users_DeleteUserToken', { tokenId: userTokenId });
    expect(await link.connection.closed).toMatchObject({ cause: 'peer' });
  });
});
