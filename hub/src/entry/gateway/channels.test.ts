import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newDevice } from '../../../test/device-client.ts';
import { tags } from '../../../test/first-generation-frames.ts';
import { gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

describe('channels', () => {
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
});
