import { beforeEach, describe, expect, test } from 'vitest';
import type { Channel } from '../channel.ts';
import { BytePool, initialWindowBytes, maxWindowBytes } from './byte-pool.ts';
import type { ResumableStream } from './ResumableStream.ts';
import { ResumableSimulation, writeAll } from '../../test/resumable-simulation.ts';
import { encodeAck, encodeEnd, encodeOpen, writeDataHead } from './stream-frames.ts';
import type { StreamOpener } from './StreamOpener.ts';

let simulation: ResumableSimulation;
beforeEach(() => void (simulation = new ResumableSimulation()));

const advance = (durationMs: number): Promise<void> => simulation.scheduler.advance(durationMs);

interface Pair {
  readonly near: ResumableStream;
  readonly far: ResumableStream;
  readonly opener: StreamOpener;
}

async function openPair(id = 1): Promise<Pair> {
  const opener = await simulation.until(simulation.open(id));
  await advance(100);
  return { opener, near: opener.stream, far: simulation.accepted.at(-1)! };
}

/** Writes until a write is pending for a second; returns the bytes written. */
async function fill(stream: ResumableStream): Promise<number> {
  let writtenBytes = 0;
  for (;;) {
    writtenBytes += 65_536;
    const waiting = stream.writeOwned(new Uint8Array(65_536));
    if (waiting === undefined) continue;
    let isTaken = false;
    void waiting.then(
      () => (isTaken = true),
      () => undefined,
    );
    await advance(1_000);
    if (!isTaken) return writtenBytes;
  }
}

describe('a lost channel', () => {
  test('[RS1] [RS4] is replaced, and both directions go on and end separately', async () => {
    const { near, far } = await openPair();
    const received = simulation.read(far);
    void near.writeOwned(Buffer.from('half '));
    simulation.cut();
    void near.writeOwned(Buffer.from('and half'));
    near.end();
    expect(String(await simulation.until(received))).toBe('half and half');
    const answer = simulation.read(near);
    void writeAll(far, [Buffer.from('all')]);
    expect(String(await simulation.until(answer))).toBe('all');
    expect(simulation.events).toEqual(['interrupted: the connection ended', 'settled']);
  });

  test('[RS7] resets the stream after 60 s, at the acceptor after 90 s, and what was received is delivered before', async () => {
    const { near, far } = await openPair();
    void far.writeOwned(Buffer.from('the last words'));
    await advance(100);
    simulation.isReachable = false;
    simulation.cut();
    await advance(59_000);
    expect(near.resetReason).toBeUndefined();
    await advance(1_300);
    expect(near.resetReason).toBe('there is no way back');
    expect(String(await simulation.read(near))).toBe('the last words');
    await advance(29_000);
    expect([far.resetReason, simulation.acceptor.count]).toEqual([undefined, 1]);
    await advance(1_000);
    expect([far.resetReason, simulation.acceptor.count]).toEqual(['its other side did not come back', 0]);
    expect(simulation.events.at(-1)).toBe('settled');
  });

  test('[RS7] resets the stream at once when the acceptor no longer has the session', async () => {
    const { near, far } = await openPair();
    simulation.isReachable = false;
    simulation.cut();
    await advance(10);
    far.giveUp('the agent was started again');
    simulation.isReachable = true;
    await advance(1_000);
    expect(near.resetReason).toBe('the device no longer has this connection');
  });

  test('[RS3] [RS7] before the stream was accepted is replaced, and data sent before acceptance arrives once', async () => {
    simulation.isConfirming = false;
    const { near, far } = await openPair();
    void near.writeOwned(Buffer.from('sent at once'));
    await advance(10);
    simulation.cut();
    await advance(1_000);
    expect(simulation.accepted).toHaveLength(1);
    expect(near.wasAccepted).toBe(false);
    far.confirm();
    near.end();
    expect(String(await simulation.until(simulation.read(far)))).toBe('sent at once');
    expect(near.wasAccepted).toBe(true);
  });
});

describe('a reset', () => {
  test.each(['near', 'far'] as const)(
    '[RS6] by the program at the %s side reaches the other at once',
    async (side) => {
      const pair = await openPair();
      const other = side === 'near' ? pair.far : pair.near;
      pair[side].abort('read ECONNRESET');
      await advance(10);
      expect(other.resetReason).toBe('read ECONNRESET');
      expect(simulation.acceptor.count).toBe(0);
    },
  );

  test.each(['near', 'far'] as const)(
    '[RS6] by the program at the %s side while there is no channel reaches the other over the next',
    async (side) => {
      const pair = await openPair();
      const other = side === 'near' ? pair.far : pair.near;
      simulation.isReachable = false;
      simulation.cut();
      await advance(1_000);
      pair[side].abort('read ECONNRESET');
      expect(await pair[side].closed).toBe('read ECONNRESET');
      simulation.isReachable = true;
      await advance(1_000);
      expect(other.resetReason).toBe('read ECONNRESET');
      expect(simulation.acceptor.count).toBe(0);
    },
  );

  test('[RS6] by a hub that denies the permission ends both sides at once', async () => {
    const { near } = await openPair(1);
    simulation.acceptorChannels.at(-1)!.abort('permission denied');
    const { far } = await openPair(2);
    simulation.openerChannels.at(-1)!.abort('permission denied');
    await advance(10);
    expect([near.resetReason, far.resetReason]).toEqual(['permission denied', 'permission denied']);
  });

  test('[RS6] before the program is connected refuses the stream', async () => {
    simulation.isConfirming = false;
    const { near, far } = await openPair();
    far.abort('connection refused');
    await advance(10);
    expect([near.resetReason, near.wasAccepted]).toEqual(['connection refused', false]);
  });
});

test('[RS5] a stream that is done keeps no channel and no memory', async () => {
  const pool = new BytePool(2 * maxWindowBytes);
  simulation = new ResumableSimulation({}, pool);
  const { near, far } = await openPair();
  const reading = Promise.all([simulation.read(far), simulation.read(near)]);
  const pieces = Array.from({ length: 100 }, () => new Uint8Array(65_536));
  void writeAll(near, pieces);
  void writeAll(far, pieces);
  await simulation.until(reading);
  await advance(1_000);
  expect(simulation.acceptor.count).toBe(0);
  expect(simulation.acceptorChannels.every(({ isClosed }) => isClosed)).toBe(true);
  expect(pool.reserve(2 * maxWindowBytes)).toBe(true);
});

test('[RS8] a channel for a session that has one replaces it', async () => {
  const { near, far } = await openPair();
  const [old] = simulation.acceptorChannels;
  const channel = await simulation.until(simulation.openChannel());
  near.open(channel, false);
  await advance(10);
  expect(old?.isClosed).toBe(true);
  void near.writeOwned(Buffer.from('over the new one'));
  near.end();
  expect(String(await simulation.until(simulation.read(far)))).toBe('over the new one');
});

test('[RS9] a 65th stream replaces the one without a channel for longest; when all have channels, the acceptor is full', async () => {
  const first = await openPair(1);
  const second = await openPair(2);
  for (let id = 3; id <= 64; id += 1) await openPair(id);
  expect([simulation.acceptor.count, simulation.acceptor.isFull]).toEqual([64, true]);
  simulation.isReachable = false;
  simulation.acceptorChannels[0]?.abort('lost');
  await advance(10);
  simulation.acceptorChannels[1]?.abort('lost');
  await advance(10);
  expect(simulation.acceptor.isFull).toBe(false);
  await openPair(65);
  expect(simulation.acceptor.count).toBe(64);
  expect([first.far.resetReason, second.far.resetReason]).toEqual(['too many streams', undefined]);
});

test('[RS9] streams that are opened at the same time are never more than 64', async () => {
  for (let id = 1; id <= 62; id += 1) await openPair(id);
  const channels = [
    await simulation.until(simulation.openChannel()),
    await simulation.until(simulation.openChannel()),
  ];
  expect(simulation.acceptor.isFull).toBe(true);
  channels.push(await simulation.until(simulation.openChannel()));
  const receipt = { receivedTo: 0, limit: initialWindowBytes };
  for (const [index, channel] of channels.entries())
    void channel.writeOwned(
      encodeOpen({ isNew: true, sessionId: new Uint8Array(16).fill(100 + index), receipt }),
    );
  await advance(10);
  expect(simulation.acceptor.count).toBe(64);
  expect(channels.map(({ resetReason }) => resetReason)).toEqual([
    undefined,
    undefined,
    'for good: too many streams',
  ]);
});

test('[RS9] a channel over which no stream was opened no longer counts', async () => {
  for (let id = 1; id <= 63; id += 1) await openPair(id);
  const [late, broken] = [
    await simulation.until(simulation.openChannel()),
    await simulation.until(simulation.openChannel()),
  ];
  expect(simulation.acceptor.isFull).toBe(true);
  broken.abort('lost');
  late.abort('lost');
  await advance(10);
  expect(simulation.acceptor.isFull).toBe(false);
  await simulation.until(simulation.openChannel());
  expect(simulation.acceptor.isFull).toBe(true);
  await advance(10_000);
  expect(simulation.acceptor.isFull).toBe(false);
});

describe('flow control', () => {
  test('[RS10] an unread direction blocks its sender, but not the other direction', async () => {
    const { near, far } = await openPair();
    const writtenBytes = await fill(near);
    expect(writtenBytes).toBeGreaterThan(initialWindowBytes);
    expect(writtenBytes).toBeLessThan(4 * initialWindowBytes);
    const pieces = Array.from({ length: 200 }, () => new Uint8Array(65_536));
    const received = simulation.read(near);
    void writeAll(far, pieces);
    expect((await simulation.until(received)).length).toBe(200 * 65_536);
  });

  test('[RS11] without a channel writes block at the initial window, and continue over the next channel', async () => {
    const { near, far } = await openPair();
    simulation.isReachable = false;
    simulation.cut();
    await advance(10);
    expect(await fill(near)).toBeLessThanOrEqual(initialWindowBytes);
    simulation.isReachable = true;
    near.end();
    expect((await simulation.until(simulation.read(far))).length).toBeGreaterThan(0);
  });

  test.each([
    [64 * 1_048_576, maxWindowBytes],
    [0, initialWindowBytes],
  ])('[RS11] with a pool of %i bytes, a window grows to %i', async (poolBytes, windowBytes) => {
    simulation = new ResumableSimulation({}, new BytePool(poolBytes));
    const { near, far } = await openPair();
    let isPaused = false;
    const never = new Promise<void>(() => {});
    void far.drain(() => (isPaused ? never : undefined));
    const writing = async (): Promise<void> => {
      for (let count = 0; count < 150; count += 1) await near.writeOwned(new Uint8Array(65_536));
    };
    await simulation.until(writing());
    await advance(1_000);
    isPaused = true;
    const heldBytes = await fill(near);
    expect(heldBytes).toBeGreaterThan(0.7 * windowBytes);
    expect(heldBytes).toBeLessThan(1.1 * windowBytes + initialWindowBytes);
  });

  test('[RS12] received bytes are acknowledged after 200 ms, so that a quiet stream keeps none', async () => {
    const { near, far } = await openPair();
    void simulation.read(far);
    void near.writeOwned(new Uint8Array(40));
    await advance(150);
    expect(near.heldBytes).toBe(40);
    await advance(60);
    expect(near.heldBytes).toBe(0);
  });
});

describe('malformed frames', () => {
  const sessionId = new Uint8Array(16).fill(9);
  const receipt = { receivedTo: 0, limit: initialWindowBytes };
  const opening = encodeOpen({ isNew: true, sessionId, receipt });
  const data = (sizeBytes: number): Uint8Array => {
    const bytes = new Uint8Array(5 + sizeBytes);
    writeDataHead(bytes, sizeBytes);
    return bytes;
  };
  const version = opening.slice();
  version[1] = 2;
  const kind = opening.slice();
  kind[2] = 7;
  const far = opening.slice();
  far[19] = 0xff;

  async function sent(...frames: Uint8Array[]): Promise<Channel> {
    const channel = await simulation.until(simulation.openChannel());
    for (const frame of frames) void channel.write(frame).catch(() => undefined);
    await advance(1_000);
    return channel;
  }

  test.each<[string, Uint8Array[], string]>([
    ['an unknown frame', [opening, Uint8Array.of(0x77)], 'unknown frame of a stream'],
    ['an unknown version', [version], 'unknown version of a stream'],
    ['an unknown kind', [kind], 'a stream is neither new nor resumed'],
    ['a position beyond 2^53', [far], 'position of a stream is out of range'],
    ['data before the opening', [data(1)], 'a stream was not opened'],
    ['a second opening', [opening, opening], 'second opening of a stream'],
    ['data after the end', [opening, encodeEnd(), data(1)], 'data after the end of a stream'],
    ['a second end', [opening, encodeEnd(), encodeEnd()], 'second end of a stream'],
    [
      'an acknowledgement of what was not sent',
      [opening, encodeAck({ receivedTo: 1, limit: initialWindowBytes })],
      'a position of a stream was acknowledged that was not sent',
    ],
    ['data beyond the limit', [opening, data(300_000)], 'data beyond the limit of a stream'],
    ['silence', [], 'the stream was not opened in time'],
  ])('[RS2] [RS3] %s resets that stream and no other', async (what, frames, reason) => {
    const other = await openPair();
    const channel = await sent(...frames);
    if (what === 'silence') await advance(10_000);
    expect(channel.resetReason).toBe(`for good: ${reason}`);
    expect(simulation.acceptor.count).toBe(1);
    void other.near.writeOwned(Buffer.from('still here'));
    other.near.end();
    expect(String(await simulation.until(simulation.read(other.far)))).toBe('still here');
  });

  test('[RS2] an unexpected accept frame is malformed', async () => {
    const { near } = await openPair();
    near.onEnd();
    expect(() => near.onAccept(receipt)).toThrow('unexpected acceptance of a stream');
  });
});
