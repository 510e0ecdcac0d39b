import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';
import { callOn } from '../../../test/first-generation-channel.ts';
import { frame, helloFrame, tags } from '../../../test/first-generation-frames.ts';
import { framesUntilClose, messagesOf } from '../../../test/close-frame.ts';
import { opcodes, webSocketFrame } from '../../../test/raw-web-socket.ts';

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

describe('a connection begins', () => {
  test('with the Hello of the hub, sent immediately', async () => {
    const webSocket = await scene.connectRaw();
    const first = await new Promise<Buffer>((resolve) => webSocket.listen(({ payload }) => resolve(payload)));
    expect([...first]).toEqual([...helloFrame()]);
    webSocket.socket.end();
  });

  test('and serves calls before the Hello of the device has arrived', async () => {
    const webSocket = await scene.connectRaw();
    const answer = new Promise<Buffer>((resolve) => {
      webSocket.listen(({ payload }) => payload[0] === tags.pong && resolve(payload));
    });
    webSocket.send(frame(tags.ping));
    expect([...(await answer)]).toEqual([tags.pong]);
    webSocket.socket.end();
  });

  test('and writes exactly 128 frames and 16 384 bytes of credit', async () => {
    const { peer } = await scene.oldAgent();
    const accept = await peer.frameOf(tags.accept);
    expect([accept.length, accept.readUInt32BE(17), accept.readUInt32BE(21)]).toEqual([25, 128, 16_384]);
    peer.leave();
  });
});

describe('the hub ends a connection', () => {
  test('with Pings answered, a Close frame with the reason and FIN, and no WebSocket close frame', async () => {
    const { peer, deviceId } = await scene.oldAgent({ pingsOnce: true });
    peer.send(frame(tags.ping));
    await scene.hub.as(scene.owner, 'devices_DeleteDevice', { deviceId });
    const { tags: sent, reason } = await framesUntilClose(peer.webSocket);
    expect(reason).toBe('the device was deleted');
    expect(sent.filter((tag) => tag === tags.pong)).toHaveLength(2);
    expect(peer.webSocket.socket.readableEnded).toBe(true);
  });

  test('when the device is silent for 20 s, and shows it as disconnected', async () => {
    const { peer, deviceId } = await scene.oldAgent({ pingsOnce: true });
    const { peer: awake, deviceId: other } = await scene.oldAgent({ pingsOnce: true });
    const answered = (one: typeof peer) =>
      vi.waitFor(() => expect(one.frames.filter(([tag]) => tag === tags.pong)).toHaveLength(2));
    // Behind it, the hub has received all that the device has sent.
    peer.send(frame(tags.ping));
    await answered(peer);
    peer.fallSilent();
    scene.advance(19_000);
    awake.send(frame(tags.ping));
    await answered(awake);
    expect(peer.webSocket.isEnded).toBe(false);
    scene.advance(1_000);
    expect(await framesUntilClose(peer.webSocket)).toMatchObject({ reason: 'the peer is silent' });
    await vi.waitFor(async () => expect(await scene.details(deviceId)).toMatchObject({ isConnected: false }));
    expect(await scene.details(other)).toMatchObject({ isConnected: true });
    awake.leave();
  });

  test('when there is no Hello within 10 s, whatever else the device says', async () => {
    const webSocket = await scene.connectRaw();
    webSocket.listen(() => {});
    scene.advance(9_000);
    webSocket.send(frame(tags.ping));
    scene.advance(1_000);
    expect(await framesUntilClose(webSocket)).toMatchObject({ reason: 'no Hello in time' });
  });

  const executor = (senderId: number) => frame(tags.request, [senderId], [128, 16_384], 'executor');
  /** Frames that violate the protocol; local id 1 is an executor channel. */
  const violations: [string, Buffer[], RegExp][] = [
    ['a wrong magic', [Buffer.from([0, ...Array.from({ length: 16 }, () => 7)])], /magic/],
    ['a short Hello', [Buffer.from([0, 27, 27])], /short/],
    ['an empty message', [Buffer.alloc(0)], /empty/],
    ['an unknown tag', [Buffer.from([0x16])], /unknown/],
    ['a short ChannelRequest', [frame(tags.request, [1], [128])], /short/],
    ['a short ChannelData', [Buffer.from([tags.data, 0, 0])], /short/],
    ['a Pong without Ping', [frame(tags.pong)], /Pong/],
    [
      'one byte more than the credit',
      [executor(1), frame(tags.data, [1], [], Buffer.alloc(16_385))],
      /credit/,
    ],
    ['data for a channel that never existed', [frame(tags.data, [3], [], 'x')], /channel/],
    [
      'an acceptance that nobody asked for',
      [executor(1), frame(tags.accept, [1, 9], [128, 16_384])],
      /request/,
    ],
    ['a channel id that is in use', [executor(1), executor(1)], /fresh/],
    ['a credit beyond 32 bits', [executor(1), frame(tags.adjust, [1], [1, 0xffff_ffff])], /overflow/],
  ];

  test.each(violations)('after %s', async (_what, frames, reason) => {
    const webSocket = await scene.connectRaw();
    webSocket.send(frame(tags.ping));
    if (frames[0]?.[0] !== tags.hello) webSocket.send(helloFrame());
    for (const bytes of frames) webSocket.send(bytes);
    const end = await framesUntilClose(webSocket);
    expect(end.reason).toMatch(reason);
    expect(end.tags).toContain(tags.pong);
  });

  /** Bytes that violate the WebSocket protocol; the Ping before them must be answered. */
  const broken: [string, () => Buffer[]][] = [
    [
      'a message longer than a frame may be',
      () => [webSocketFrame(opcodes.binary, Buffer.alloc(1_048_576 + 10))],
    ],
    ['a message announced as longer', () => [Buffer.from('827f0000000100000000', 'hex')]],
    ['an unmasked message', () => [Buffer.from([0x82, 1, tags.ping])]],
    ['an unknown opcode', () => [webSocketFrame(3, Buffer.alloc(1))]],
    ['reserved bits', () => [Buffer.from([0xf2, 0x80, 0, 0, 0, 0])]],
    [
      'a message in a thousand fragments',
      () => [
        webSocketFrame(opcodes.binary, Buffer.from([tags.data]), false),
        ...Array.from({ length: 1_000 }, () => webSocketFrame(opcodes.continuation, Buffer.alloc(1), false)),
      ],
    ],
  ];

  test.each(broken)('after %s, in the same way', async (_what, wire) => {
    const webSocket = await scene.connectRaw();
    webSocket.send(helloFrame());
    webSocket.send(frame(tags.ping));
    for (const bytes of wire()) webSocket.socket.write(bytes);
    const end = await framesUntilClose(webSocket);
    expect(end.tags).toEqual([tags.hello, tags.pong, tags.connectionClose]);
    expect(end.reason).not.toBe('');
  });
});

describe('a connection continues', () => {
  test('after text messages, well-formed or not, and frames for closed channels', async () => {
    const { peer } = await scene.oldAgent();
    peer.webSocket.send(Buffer.from('what?'), opcodes.text);
    peer.webSocket.send(Buffer.from([0xff, 0xfe]), opcodes.text);
    for (const tag of [tags.data, tags.closed, tags.close]) peer.send(frame(tag, [1], [], 'late'));
    peer.send(frame(tags.adjust, [1], [1, 1]));
    expect(await peer.call('actor_GetActor', {})).toMatchObject({ result: 'Ok' });
    peer.leave();
  });

  test('and answers a WebSocket ping', async () => {
    const webSocket = await scene.connectRaw();
    const pong = new Promise<Buffer>((resolve) => {
      webSocket.listen(({ opcode, payload }) => opcode === opcodes.pong && resolve(payload));
    });
    webSocket.send(Buffer.from('there?'), opcodes.ping);
    expect((await pong).toString()).toBe('there?');
    webSocket.socket.end();
  });

  test('until the device sends a WebSocket close frame', async () => {
    const { peer, deviceId } = await scene.oldAgent();
    peer.webSocket.send(Buffer.from([0x03, 0xe8]), opcodes.close);
    await peer.webSocket.ended;
    await vi.waitFor(async () => expect(await scene.details(deviceId)).toMatchObject({ isConnected: false }));
    expect(messagesOf(Buffer.concat(peer.webSocket.wire)).at(-1)).toMatchObject({ opcode: opcodes.close });
  });

  test('until its TCP connection ends, which disconnects the device at once', async () => {
    const { peer, deviceId } = await scene.oldAgent();
    expect(await scene.details(deviceId)).toMatchObject({ isConnected: true });
    peer.leave();
    await vi.waitFor(async () => expect(await scene.details(deviceId)).toMatchObject({ isConnected: false }));
  });
});

describe('calls of the first generation', () => {
  test('are answered in an envelope of exactly two fields', async () => {
    const { peer, deviceId } = await scene.oldAgent();
    expect(await peer.call('actor_GetActor', {})).toMatchObject({
      result: 'Ok',
      value: { actor: { actor: 'Device', kind: 'Device', deviceId } },
    });
    expect(await peer.call('nonsense_Do', {})).toMatchObject({ result: 'Error', error: { kind: 'Invalid' } });
    expect(await peer.call('users_QueryUsers', {})).toMatchObject({ error: { kind: 'Forbidden' } });
    expect(await peer.call('actor_GetActor', '{"broken')).toMatchObject({ error: { kind: 'Invalid' } });
    peer.leave();
  });

  test('of the command line run as its user token, and no channel is opened towards it', async () => {
    const cli = await scene.oldCommandLine();
    expect(await cli.call('actor_GetActor', {})).toMatchObject({
      value: { actor: { actor: 'UserToken', kind: 'UserToken', userId: scene.owner.userId } },
    });
    expect(cli.endpoints).toEqual([]);
    cli.leave();
  });

  test('are sequential on one channel, and run on several channels', async () => {
    const { peer } = await scene.oldAgent();
    const channels = await Promise.all([peer.open('executor'), peer.open('executor')]);
    for (const channel of [...channels, ...channels])
      expect(await callOn(channel, 'actor_GetActor', {})).toMatchObject({ result: 'Ok' });
    peer.leave();
  });

  test('of more than 8 MiB close their channel only', async () => {
    const { peer } = await scene.oldAgent();
    const channel = await peer.open('executor');
    await channel.write(Buffer.concat([Buffer.from([0, 1, 0x61]), Buffer.from([0, 0x80, 0, 1])]));
    expect(await channel.read()).toBeNull();
    expect(await peer.call('actor_GetActor', {})).toMatchObject({ result: 'Ok' });
    peer.leave();
  });

  test('of one-shot commands do not make the device connected', async () => {
    const { peer, deviceId } = await scene.oldAgent({ isRegistered: false });
    expect(await scene.details(deviceId)).toMatchObject({ isConnected: false, connections: [] });
    const cli = await scene.oldCommandLine();
    await expect(cli.open(`device/${deviceId}/proxy/forward/tcp/80`)).rejects.toThrow('device not connected');
    expect(peer.endpoints).toEqual([]);
    peer.leave();
    cli.leave();
  });
});
