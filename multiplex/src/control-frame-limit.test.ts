import { describe, expect, test } from 'vitest';
import { defaultLimits } from './limits.ts';
import { adjustFrame, closedFrame, hello, open, requestFrame, simulate } from '../test/simulation.ts';

const violation = (reason: string) => ({ cause: 'violation', reason });

describe('control frames', () => {
  test('[CL5] control frames are accepted at 2 000 per second and a burst of two seconds, not above', async () => {
    expect(defaultLimits.controlFramesPerSecond).toBe(2_000);
    const limits = { controlFramesPerSecond: 200, pingsPerSecond: 200 };
    const below = simulate({ limits });
    below.peer.send(hello);
    for (let second = 0; second < 5; second += 1) {
      for (let count = 0; count < 190; count += 1) below.peer.send({ kind: 'Ping' });
      await below.advance(1_000);
    }
    expect(below.connection.end).toBeUndefined();
    const above = simulate({ limits });
    for (let count = 0; count < 410; count += 1) above.peer.send({ kind: 'Ping' });
    await above.advance(10);
    expect(above.connection.end).toEqual(violation('too many control frames'));
  });

  test('[CL5] Pings are accepted at 50 per second and a burst of two seconds, not above', async () => {
    const below = simulate();
    below.peer.send(hello);
    for (let second = 0; second < 5; second += 1) {
      for (let count = 0; count < 50; count += 1) below.peer.send({ kind: 'Ping' });
      await below.advance(1_000);
    }
    expect(below.connection.end).toBeUndefined();
    const above = simulate();
    above.peer.send(hello);
    for (let count = 0; count < 110; count += 1) above.peer.send({ kind: 'Ping' });
    await above.advance(10);
    expect(above.connection.end).toEqual(violation('too many pings'));
  });

  test('[CL5] a rejected request counts as the configured number of control frames', async () => {
    const flood = async (framesPerRejection: number) => {
      const { connection, peer, advance } = simulate({ limits: { framesPerRejection } });
      peer.send(hello);
      for (let id = 1; id <= 1_000; id += 1) peer.send(requestFrame(id, 'x'));
      await advance(10);
      return connection.end;
    };
    expect(await flood(0)).toBeUndefined();
    expect(await flood(9)).toEqual(violation('too many control frames'));
  });

  test('[CL5] a peer that acknowledges every 2 KiB frame at full speed receives 32 MiB', async () => {
    const { channel, peer, connection, advance } = await open();
    const [frameCount, frameBytes] = [16_384, 2_048];
    let receivedBytes = 0;
    peer.onFrame = (frame) => {
      if (frame.kind !== 'ChannelData') return;
      receivedBytes += frame.payload.length;
      peer.send(adjustFrame(1, 1, frame.payload.length));
    };
    let sentFrames = 0;
    const sending = (async () => {
      for (; sentFrames < frameCount; sentFrames += 1) await channel.write(new Uint8Array(frameBytes));
      channel.end();
    })();
    for (let second = 0; second < 15 && sentFrames < frameCount && !connection.end; second += 1)
      await advance(1_000);
    expect(connection.end).toBeUndefined();
    await sending;
    await advance(10);
    expect(receivedBytes).toBe(frameCount * frameBytes);
  });

  test('[CL5] credits that arrive after their channel has closed are free once for each frame sent', async () => {
    const { channel, peer, connection, advance } = await open({
      limits: { controlFramesPerSecond: 20 },
    });
    for (let count = 0; count < 100; count += 1) void channel.write(Uint8Array.of(1));
    channel.end();
    peer.send(closedFrame(1));
    await advance(5);
    for (let count = 0; count < 100; count += 1) peer.send(adjustFrame(1, 1, 1));
    await advance(5);
    expect(connection.end).toBeUndefined();
    for (let count = 0; count < 50; count += 1) peer.send(adjustFrame(1, 1, 1));
    await advance(5);
    expect(connection.end).toEqual(violation('too many control frames'));
  });

  test('[CL5] a peer that sends credits which return nothing is disconnected, however much was sent before', async () => {
    const { channel, peer, connection, advance } = await open();
    await channel.write(new Uint8Array(8_192));
    await advance(5);
    peer.send(adjustFrame(1, 1, 8_192));
    for (let count = 0; count < 4_100; count += 1) peer.send(adjustFrame(1, 1, 8));
    await advance(10);
    expect(connection.end).toEqual(violation('too many control frames'));
  });

  test('[CL5] a peer that sends tiny byte credits without frames is disconnected', async () => {
    const { channel, peer, connection, advance } = await open();
    await channel.write(new Uint8Array(16_384));
    await advance(5);
    for (let count = 0; count < 4_100; count += 1) peer.send(adjustFrame(1, 0, 1));
    await advance(10);
    expect(connection.end).toEqual(violation('too many control frames'));
  });
});
