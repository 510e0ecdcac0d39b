import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { frame, tags } from '../../../test/first-generation-frames.ts';
import { gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';
import { placesOf } from '../../limits/limit.ts';
import { limits } from '../../limits/table.ts';
import { reserveInput } from './serve-executor.ts';

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

const input = Buffer.from(JSON.stringify({ pad: 'x'.repeat(200_000) }));
/** The beginning of a call with a large input. */
function begun(): Buffer {
  const head = Buffer.concat([Buffer.from([0, 21]), Buffer.from('devices_PublishEvents')]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(input.length);
  return Buffer.concat([head, size, input.subarray(0, 10_000)]);
}

test('eight concurrent large calls are read two at a time, and each is answered', async () => {
  const { peer } = await scene.oldAgent();
  const channels = await Promise.all(Array.from({ length: 8 }, () => peer.open('executor')));
  for (const channel of channels) void channel.write(begun());
  // Unread data gives back no credit: only two of the eight are being read.
  await vi.waitFor(() => expect(credited(peer.frames).size).toBe(2));
  const answers = channels.map((channel) => channel.read());
  for (const channel of channels) void channel.write(input.subarray(10_000));
  expect((await Promise.all(answers)).every((answer) => answer !== null)).toBe(true);
  expect(credited(peer.frames).size).toBe(8);
  peer.send(frame(tags.ping));
  peer.leave();
});

test('large inputs of a device are counted over all its connections, and hold up no other device', async () => {
  const { peer, device } = await scene.oldAgent();
  const further = await scene.oldAgent({ device, isRegistered: false });
  const neighbour = await scene.oldAgent();
  for (const _ of [1, 2]) void (await peer.open('executor')).write(begun());
  await vi.waitFor(() => expect(credited(peer.frames).size).toBe(2));
  void (await further.peer.open('executor')).write(begun());
  const channel = await neighbour.peer.open('executor');
  void channel.write(begun());
  await vi.waitFor(() => expect(credited(neighbour.peer.frames).size).toBe(1));
  // A small call on the same connection is answered behind what the hub has read of it.
  await further.peer.call('actor_GetActor', {});
  expect(credited(further.peer.frames).size).toBe(0);
  peer.leave();
  await vi.waitFor(() => expect(credited(further.peer.frames).size).toBe(1));
  for (const one of [further, neighbour]) one.peer.leave();
});

const credited = (frames: readonly Buffer[]): Set<bigint> =>
  new Set(frames.filter(([tag]) => tag === tags.adjust).map((bytes) => bytes.readBigUInt64BE(1)));

test('an input that does not arrive within 30 s is late, and none that has arrived', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [late, arrived] = [vi.fn(), vi.fn()];
  const places = placesOf(limits.largeInputs);
  expect(reserveInput(places, { caller: 'd_1' }, 65_536, late)).toBeUndefined();
  await reserveInput(places, { caller: 'd_1' }, 65_537, late);
  (await reserveInput(places, { caller: 'd_1' }, 65_537, arrived))?.arrived();
  await vi.advanceTimersByTimeAsync(29_999);
  expect(late).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect([late.mock.calls.length, arrived.mock.calls.length]).toEqual([1, 0]);
});
