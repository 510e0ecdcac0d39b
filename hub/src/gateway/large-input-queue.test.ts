import type { InputReservation } from '@corral/multiplex';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { gatewayScene, type GatewayScene } from '../../test/gateway-scene.ts';
import { frame, tags } from '../../test/first-generation-frames.ts';
import { LargeInputQueue } from './large-input-queue.ts';
import { Link } from './link.ts';

const mebibyte = 1_048_576;
const link = () => new Link({ actor: 'System', kind: 'System' }, {}, true, undefined);

describe('the queue of large inputs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Queues an input and shows whether its turn has come. */
  function enqueue(queue: LargeInputQueue, whose: Link, onLate = () => {}) {
    const queued: { room: InputReservation | undefined } = { room: undefined };
    void queue.enqueue(whose, mebibyte, onLate)?.then((room) => (queued.room = room));
    return queued;
  }
  const settled = () => vi.advanceTimersByTimeAsync(0);

  test('does not delay small inputs', () => {
    expect(new LargeInputQueue().enqueue(link(), 65_536, () => {})).toBeUndefined();
  });

  test('admits one large input per connection at a time', async () => {
    const queue = new LargeInputQueue();
    const [one, other] = [link(), link()];
    const queued = [enqueue(queue, one), enqueue(queue, one), enqueue(queue, other)];
    await settled();
    expect(queued.map(({ room }) => room !== undefined)).toEqual([true, false, true]);
    queued[0]?.room?.free();
    await settled();
    expect(queued[1]?.room).toBeDefined();
  });

  test('admits 32 in all, first in, first out', async () => {
    const queue = new LargeInputQueue();
    const queued = Array.from({ length: 40 }, () => enqueue(queue, link()));
    await settled();
    expect(queued.findIndex(({ room }) => room === undefined)).toBe(32);
    queued[7]?.room?.free();
    await settled();
    expect(queued.findIndex(({ room }) => room === undefined)).toBe(33);
  });

  test('times out an input that does not arrive within 30 s, and none that has arrived', async () => {
    const queue = new LargeInputQueue();
    const [late, arrived] = [vi.fn(), vi.fn()];
    enqueue(queue, link(), late);
    const other = enqueue(queue, link(), arrived);
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

  test('eight concurrent large calls are read one after the other, and each is answered', async () => {
    const { peer } = await scene.oldAgent();
    const channels = await Promise.all(Array.from({ length: 8 }, () => peer.open('executor')));
    const input = Buffer.from(JSON.stringify({ pad: 'x'.repeat(200_000) }));
    const head = Buffer.concat([Buffer.from([0, 21]), Buffer.from('devices_PublishEvents')]);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(input.length);
    const half = Buffer.concat([head, size, input.subarray(0, 10_000)]);
    for (const channel of channels) void channel.write(half);
    // Unread data gives back no credit: only one of the eight is being read.
    await vi.waitFor(() => expect(credited(peer.frames).size).toBe(1));
    const answers = channels.map((channel) => channel.read());
    for (const channel of channels) void channel.write(input.subarray(10_000));
    expect((await Promise.all(answers)).every((answer) => answer !== null)).toBe(true);
    expect(credited(peer.frames).size).toBe(8);
    peer.send(frame(tags.ping));
    peer.leave();
  });

  const credited = (frames: readonly Buffer[]): Set<bigint> =>
    new Set(frames.filter(([tag]) => tag === tags.adjust).map((bytes) => bytes.readBigUInt64BE(1)));
});
