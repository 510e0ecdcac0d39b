import { describe, expect, test } from 'vitest';
import type { ConnectionEnd } from './connection-options.ts';
import { encodeFrame } from './frame.ts';
import { acceptFrame, dataFrame, drain, hello, requestFrame, simulate } from '../test/simulation.ts';
import { toBytes } from './text.ts';

const violation = (reason: string) => ({ cause: 'violation', reason });

describe('hello', () => {
  test('[HE1] it is sent first, and at once', async () => {
    const { peer, advance } = simulate();
    await advance(1);
    expect(peer.frames).toEqual([hello]);
  });

  test('[HE1] it contains the info of this side', async () => {
    const { peer, advance } = simulate({ info: 'corral-agent/0.1.0' });
    await advance(1);
    expect(peer.frames).toEqual([{ kind: 'Hello', info: toBytes('corral-agent/0.1.0') }]);
  });

  test('[HE2] a wrong magic ends the connection', async () => {
    const { connection, peer, advance } = simulate();
    peer.send(Uint8Array.of(0, ...new Uint8Array(16)));
    await advance(10);
    expect(connection.end).toEqual(violation('wrong magic'));
    expect(peer.closeReason).toBe('wrong magic');
  });

  test('[HE3] without it the connection ends after 10 s, even if other frames arrive', async () => {
    const { connection, peer, advance } = simulate();
    peer.send({ kind: 'Ping' });
    await advance(9_000);
    expect(connection.end).toBeUndefined();
    await advance(1_000);
    expect(connection.end).toEqual({ cause: 'silent', reason: 'no Hello in time' });
  });

  test('[HE4] other frames are sent without waiting for it', async () => {
    const { connection, peer, advance } = simulate();
    const opening = connection.openChannel('executor');
    await advance(2);
    peer.send(acceptFrame(1, 1));
    await advance(2);
    await (await opening).write(Uint8Array.of(1));
    await advance(2);
    expect(peer.all('ChannelData')).toHaveLength(1);
  });

  test('[HE5] a second one, or a long info, is a violation', async () => {
    const first = simulate();
    first.peer.send(hello, hello);
    await first.advance(5);
    expect(first.connection.end).toEqual(violation('second Hello'));
    const second = simulate();
    second.peer.send({ kind: 'Hello', info: new Uint8Array(4_096) });
    await second.advance(5);
    expect(second.connection.end).toBeUndefined();
    const third = simulate();
    third.peer.send({ kind: 'Hello', info: new Uint8Array(4_097) });
    await third.advance(5);
    expect(third.connection.end).toEqual(violation('Hello info is too long'));
  });
});

describe('ping and silence', () => {
  test('[PI1] every Ping is answered by one Pong', async () => {
    const { peer, advance } = simulate();
    peer.send(hello, { kind: 'Ping' }, { kind: 'Ping' }, { kind: 'Ping' });
    await advance(5);
    expect(peer.all('Pong')).toHaveLength(3);
  });

  test('[PI2] a Pong without Ping is a violation', async () => {
    const { connection, peer, advance } = simulate({ pingIntervalMs: 5_000 });
    peer.send(hello);
    await advance(1_000);
    peer.send({ kind: 'Pong' });
    await advance(10);
    expect(connection.end).toBeUndefined();
    peer.send({ kind: 'Pong' });
    await advance(10);
    expect(connection.end).toEqual(violation('Pong without Ping'));
  });

  test('[PI3] pings are sent at their interval, with at most one unanswered', async () => {
    const { peer, advance } = simulate({ pingIntervalMs: 5_000 });
    peer.send(hello);
    await advance(4_000);
    expect(peer.all('Ping')).toHaveLength(1);
    await advance(8_000);
    expect(peer.all('Ping')).toHaveLength(1);
    peer.send({ kind: 'Pong' });
    await advance(5_000);
    expect(peer.all('Ping')).toHaveLength(2);
  });

  test('[PI4] the round trip is smoothed as 7/8 old and 1/8 new', async () => {
    const { connection, peer, advance } = simulate({ pingIntervalMs: 5_000, delayMs: 0 });
    peer.send(hello);
    await advance(1_000);
    await advance(80);
    peer.send({ kind: 'Pong' });
    await advance(0);
    expect(connection.smoothedRttMs).toBe(80);
    await advance(5_000);
    await advance(160);
    peer.send({ kind: 'Pong' });
    await advance(0);
    expect(connection.smoothedRttMs).toBe(90);
  });

  test('[PI5] an idle connection without an interval is never pinged', async () => {
    const { peer, advance } = simulate();
    peer.send(hello);
    await advance(15_000);
    expect(peer.all('Ping')).toHaveLength(0);
  });

  test('[PI5] while a channel carries data, a Ping is sent at most every 5 s', async () => {
    const { connection, peer, advance } = simulate({
      onChannelRequest: (request) => void drain(request.accept()),
    });
    peer.send(hello, requestFrame(1));
    await advance(5);
    for (let round = 0; round < 10; round += 1) {
      peer.send(dataFrame(1, 8_193));
      await advance(10);
      if (round === 0) peer.send({ kind: 'Pong' });
    }
    expect(peer.all('ChannelAdjust').length).toBeGreaterThanOrEqual(5);
    expect(peer.all('Ping')).toHaveLength(1);
    await advance(5_000);
    for (let round = 0; round < 10; round += 1) {
      peer.send(dataFrame(1, 8_193));
      await advance(10);
    }
    expect(peer.all('Ping')).toHaveLength(2);
    expect(connection.end).toBeUndefined();
  });

  test('[PI5] a side that has sent nothing for its time of silence pings, once until that is answered', async () => {
    const { peer, advance } = simulate({ pingWhenQuietMs: 5_000 });
    peer.send(hello);
    await advance(3_000);
    for (let second = 0; second < 7; second += 1) {
      peer.send({ kind: 'Ping' });
      await advance(1_000);
    }
    expect(peer.all('Ping')).toHaveLength(0);
    await advance(15_000);
    expect(peer.all('Ping')).toHaveLength(1);
    peer.send({ kind: 'Pong' });
    await advance(6_000);
    expect(peer.all('Ping')).toHaveLength(2);
  });

  test('[PI6] any frame keeps the connection alive, and 20 s without one end it', async () => {
    const { connection, peer, advance } = simulate();
    peer.send(hello);
    await advance(15_000);
    peer.send({ kind: 'Ping' });
    await advance(19_000);
    expect(connection.end).toBeUndefined();
    await advance(2_000);
    await advance(5);
    expect(connection.end).toEqual({ cause: 'silent', reason: 'the peer is silent' });
    expect(peer.closeReason).toBe('the peer is silent');
  });
});

describe('the end', () => {
  test('[CL1] Close with the reason is sent after the Pongs, then the transport ends, then nothing is sent', async () => {
    const ends: ConnectionEnd[] = [];
    const { connection, peer, advance } = simulate({ onClosed: (end) => ends.push(end) });
    peer.send(hello, { kind: 'Ping' });
    await advance(1);
    connection.close('maintenance');
    connection.close('again');
    peer.send({ kind: 'Ping' });
    await advance(30_000);
    expect(peer.frames.map((frame) => frame.kind)).toEqual(['Hello', 'Pong', 'Close']);
    expect(peer.closeReason).toBe('maintenance');
    expect(peer.isEnded).toBe(true);
    expect(ends).toEqual([{ cause: 'closed', reason: 'maintenance' }]);
    expect(await connection.closed).toEqual(ends[0]);
  });

  test('[CL2] the Close of the peer ends it with the peer’s reason', async () => {
    const { connection, peer, advance } = simulate();
    peer.send(hello, { kind: 'Close', reason: toBytes('going home') });
    await advance(5);
    expect(connection.end).toEqual({ cause: 'peer', reason: 'going home' });
    expect(peer.isEnded).toBe(true);
    expect(peer.closeReason).toBeUndefined();
  });

  test('[CL3] the end of the transport is a clean end at once', async () => {
    const { connection, peer, advance } = simulate();
    const opening = connection.openChannel('executor').catch((error: unknown) => error);
    const closed = connection.closed;
    peer.end();
    await advance(1);
    expect(await closed).toEqual({ cause: 'lost', reason: '' });
    expect(await opening).toMatchObject({ name: 'ConnectionClosure' });
    await expect(connection.openChannel('executor')).rejects.toMatchObject({ name: 'ConnectionClosure' });
    expect(connection.channelCount).toBe(0);
  });

  test('[CL4] a violation is answered by Close, and everything after it is ignored', async () => {
    const { connection, peer, advance } = simulate();
    peer.send(hello, Uint8Array.of(0x99), { kind: 'Ping' });
    await advance(5);
    expect(peer.frames.map((frame) => frame.kind)).toEqual(['Hello', 'Close']);
    expect(peer.closeReason).toBe('unknown frame');
    expect(connection.end).toEqual(violation('unknown frame'));
  });

  test('[FR2] [FR5] short and oversized frames end the connection', async () => {
    const short = simulate();
    short.peer.send(Uint8Array.of(0x13, 1));
    await short.advance(5);
    expect(short.connection.end).toEqual(violation('frame is too short'));
    const large = simulate();
    large.peer.send(encodeFrame(dataFrame(1, 1_048_577)));
    await large.advance(5);
    expect(large.connection.end).toEqual(violation('frame is too large'));
  });

  test('[CL6] a peer that does not read is disconnected after 10 s, a slow one is not', async () => {
    const { connection, peer, near, advance } = simulate();
    peer.send(hello);
    await advance(1_000);
    near.stall();
    peer.send({ kind: 'Ping' });
    for (let second = 0; second < 9; second += 1) {
      peer.send({ kind: 'Ping' });
      await advance(1_000);
    }
    near.resume();
    await advance(1_000);
    expect(connection.end).toBeUndefined();
    near.stall();
    for (let second = 0; second < 13; second += 1) {
      peer.send({ kind: 'Ping' });
      await advance(1_000);
    }
    expect(connection.end).toEqual({ cause: 'stalled', reason: 'the peer does not read' });
    expect(peer.isEnded).toBe(true);
  });

  test('[CL6] a peer with too much buffered data is disconnected at once', async () => {
    const { connection, peer, near, advance } = simulate({ limits: { maxBacklogBytes: 40_000 } });
    peer.send(hello);
    near.stall();
    for (let id = 1; id <= 900; id += 1) peer.send(requestFrame(id, 'x'));
    await advance(1_000);
    expect(connection.end).toBeUndefined();
    for (let id = 901; id <= 1_900; id += 1) peer.send(requestFrame(id, 'x'));
    await advance(1_000);
    expect(connection.end).toEqual({ cause: 'stalled', reason: 'the peer does not read' });
  });

  test('[CL7] long reasons are a violation when received, and truncated between characters when sent', async () => {
    const { connection, peer, advance } = simulate();
    peer.send(hello, { kind: 'Close', reason: new Uint8Array(4_097) });
    await advance(5);
    expect(connection.end).toEqual(violation('reason is too long'));
    const other = simulate();
    other.connection.close('ä'.repeat(2_049));
    await other.advance(5);
    expect(other.peer.closeReason).toBe('ä'.repeat(2_048));
  });

  test('[CL8] an error in a handler ends this connection with an opaque reason', async () => {
    const fault = new Error('secret');
    const { connection, peer, advance } = simulate({
      onChannelRequest: () => {
        throw fault;
      },
    });
    peer.send(hello, requestFrame(1));
    await advance(5);
    expect(connection.end).toEqual({ cause: 'failed', reason: 'internal error', error: fault });
    expect(peer.closeReason).toBe('internal error');
  });

  test('the time of the last frame is recorded', async () => {
    const { connection, peer, advance, scheduler } = simulate();
    expect(connection.lastFrameAtMs).toBe(0);
    await advance(500);
    peer.send(hello);
    await advance(100);
    expect(connection.lastFrameAtMs).toBe(501);
    expect(scheduler.nowMs).toBe(600);
  });
});
