import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectLink, deviceHeaders, isOpen, newDevice } from '../../test/device-client.ts';
import { tags } from '../../test/first-generation-frames.ts';
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

  test('a connection has at most 32 executor channels, and gets another when one closes', async () => {
    const link = await scene.connectDevice(await newDevice());
    const clients = await Promise.all(Array.from({ length: 32 }, () => link.rpc()));
    const answers = await Promise.all(clients.map((client) => client.invoke('actor_GetActor', {})));
    expect(answers).toHaveLength(32);
    await expect(link.rpc()).rejects.toThrow('too many executor channels');
    clients[0]?.close();
    await vi.waitFor(async () => expect(await (await link.rpc()).invoke('actor_GetActor', {})).toBeDefined());
    link.connection.close('');
  });

  test('of the calls on one connection eight are read at a time, and the others as those are answered', async () => {
    const { peer } = await scene.oldAgent();
    const channels = await Promise.all(Array.from({ length: 12 }, () => peer.open('executor')));
    const input = Buffer.from(JSON.stringify({ pad: 'x'.repeat(60_000) }));
    const size = Buffer.alloc(4);
    size.writeUInt32BE(input.length);
    const head = Buffer.concat([Buffer.from([0, 14]), Buffer.from('actor_GetActor'), size]);
    const begun = Buffer.concat([head, input.subarray(0, 10_000)]);
    for (const channel of channels) void channel.write(begun);
    // Unread data gives back no credit.
    const credited = () =>
      new Set(peer.frames.filter(([tag]) => tag === tags.adjust).map((bytes) => bytes.readBigUInt64BE(1)));
    await vi.waitFor(() => expect(credited().size).toBe(8));
    const answers = channels.map((channel) => channel.read());
    for (const channel of channels) void channel.write(input.subarray(10_000));
    expect((await Promise.all(answers)).every((answer) => answer !== null)).toBe(true);
    expect(credited().size).toBe(12);
    peer.leave();
  });

  test('a peer that asks for executor channels without end is disconnected after about forty rejections', async () => {
    const link = await scene.connectDevice(await newDevice());
    const ask = (length: number) =>
      Promise.all(Array.from({ length }, () => link.rpc().catch((error: unknown) => String(error))));
    await ask(32);
    const answers = [...(await ask(30)), ...(await ask(30))];
    const rejections = answers.filter((answer) => String(answer).includes('too many executor channels'));
    expect(rejections.length).toBeGreaterThan(30);
    // 20 more are allowed for each second that this takes.
    expect(rejections.length).toBeLessThan(60);
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
