import { ChannelClosure, type InputReservation } from '@corral/multiplex';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { gatewayScene, type GatewayScene } from '../../test/gateway-scene.ts';
import { frame, tags } from '../../test/first-generation-frames.ts';
import { LargeInputQueue } from './large-input-queue.ts';

const mebibyte = 1_048_576;
let callers = 0;
const newCaller = () => `d_${(callers += 1)}`;

describe('the queue of large inputs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Queues an input and shows whether its turn has come. */
  function enqueue(queue: LargeInputQueue, caller: string, onLate = () => {}, projectId?: string) {
    const queued: { room: InputReservation | undefined } = { room: undefined };
    void queue.enqueue({ caller, projectId }, mebibyte, onLate)?.then((room) => (queued.room = room));
    return queued;
  }
  const settled = () => vi.advanceTimersByTimeAsync(0);

  test('does not delay small inputs', () => {
    expect(new LargeInputQueue().enqueue({ caller: newCaller() }, 65_536, () => {})).toBeUndefined();
  });

  test('admits two large inputs of a caller at a time', async () => {
    const queue = new LargeInputQueue();
    const [one, other] = [newCaller(), newCaller()];
    const queued = [one, one, one, other].map((caller) => enqueue(queue, caller));
    await settled();
    expect(queued.map(({ room }) => room !== undefined)).toEqual([true, true, false, true]);
    queued[0]?.room?.free();
    await settled();
    expect(queued[2]?.room).toBeDefined();
  });

  test('keeps no caller whose inputs have been read', async () => {
    const queue = new LargeInputQueue();
    const caller = newCaller();
    const queued = Array.from({ length: 3 }, () => enqueue(queue, caller));
    await settled();
    expect(queue.callerCount).toBe(1);
    for (const one of queued) {
      one.room?.free();
      await settled();
    }
    expect(queue.callerCount).toBe(0);
  });

  test('admits 32 in all, first in, first out', async () => {
    const queue = new LargeInputQueue();
    const queued = Array.from({ length: 40 }, () => enqueue(queue, newCaller()));
    await settled();
    expect(queued.findIndex(({ room }) => room === undefined)).toBe(32);
    queued[7]?.room?.free();
    await settled();
    expect(queued.findIndex(({ room }) => room === undefined)).toBe(33);
  });

  test('admits 16 of the devices of one project, 28 of all devices, and 32 in all', async () => {
    const queue = new LargeInputQueue();
    const of = (projectId: string | undefined, count: number) =>
      Array.from({ length: count }, () => enqueue(queue, newCaller(), undefined, projectId));
    const [slow, others] = [of('slow', 20), [...of('other', 15), ...of(undefined, 5)]];
    await settled();
    const admitted = (queued: typeof slow) => queued.filter(({ room }) => room !== undefined).length;
    expect([admitted(slow), admitted(others)]).toEqual([16, 16]);
    slow[3]?.room?.free();
    await settled();
    expect([admitted(slow), admitted(others)]).toEqual([16, 17]);
  });

  test('admits next an input of whom the fewest are being read, so that two projects do not hold up a third', async () => {
    const queue = new LargeInputQueue();
    const of = (projectId: string | undefined, count: number) =>
      Array.from({ length: count }, () => enqueue(queue, newCaller(), undefined, projectId));
    const held = of('slow', 16);
    const waiting = [...of('other', 16), ...of('slow', 16)];
    const third = of('third', 2);
    await settled();
    expect(third.some(({ room }) => room !== undefined)).toBe(false);
    held[0]?.room?.free();
    await settled();
    expect(third.map(({ room }) => room !== undefined)).toEqual([true, false]);
    expect(waiting.filter(({ room }) => room !== undefined)).toHaveLength(12);
  });

  test('lets 16,384 wait; then the newest of whoever has the most waiting makes room for others', async () => {
    const queue = new LargeInputQueue();
    const [greedy, other] = [newCaller(), newCaller()];
    for (let count = 0; count < 2 + 16_383; count += 1) enqueue(queue, greedy);
    const refusals: unknown[] = [];
    const ask = (caller: string) =>
      void queue.enqueue({ caller }, mebibyte, () => {})?.catch((error: unknown) => refusals.push(error));
    ask(greedy);
    await settled();
    expect(refusals).toEqual([]);
    for (let count = 0; count < 30; count += 1) enqueue(queue, newCaller());
    enqueue(queue, other);
    await settled();
    expect(refusals).toEqual([new ChannelClosure('too many large inputs are waiting')]);
  });

  test('times out an input that does not arrive within 30 s, and none that has arrived', async () => {
    const queue = new LargeInputQueue();
    const [late, arrived] = [vi.fn(), vi.fn()];
    enqueue(queue, newCaller(), late);
    const other = enqueue(queue, newCaller(), arrived);
    await settled();
    other.room?.arrived();
    await vi.advanceTimersByTimeAsync(29_999);
    expect(late).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect([late.mock.calls.length, arrived.mock.calls.length]).toEqual([1, 0]);
  });
});

describe('over connections', () => {
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

  test('those of a device are counted over all its connections, and hold up no other device', async () => {
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
});
