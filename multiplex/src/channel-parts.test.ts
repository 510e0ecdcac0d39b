import { describe, expect, test } from 'vitest';
import {
  acceptAll,
  adjustFrame,
  closedFrame,
  dataFrame,
  hello,
  isSettled,
  open,
  requestFrame,
  simulate,
} from '../test/simulation.ts';

const sizes = (parts: readonly Uint8Array[]): number[] => parts.map(({ length }) => length);

describe('data in parts', () => {
  test('[FR7] each part is delivered when it arrives, and together they cost one frame of credit', async () => {
    const { channel, peer, advance } = await open({ partBytes: 1_009 });
    peer.send(dataFrame(1, 4_000), dataFrame(1, 8_000));
    await advance(5);
    const parts: Uint8Array[] = [];
    for (let left = 12_000; left > 0; left -= parts.at(-1)!.length) parts.push((await channel.read())!);
    expect(parts.length).toBeGreaterThan(10);
    await advance(5);
    const granted = peer.all('ChannelAdjust');
    expect(granted.reduce((sum, { frameCredit }) => sum + frameCredit, 0)).toBeLessThanOrEqual(2);
    peer.send(closedFrame(1));
    await advance(5);
    expect(await channel.read()).toBeNull();
  });

  test('[CR3] a frame for which there is no credit is a violation at its first part', async () => {
    const { connection, peer, advance } = await open({ partBytes: 100 });
    peer.send(dataFrame(1, 16_385));
    await advance(5);
    expect(connection.end).toEqual({ cause: 'violation', reason: 'data without credit' });
  });

  test('[FR5] a frame that is too long is a violation at its first part', async () => {
    const { connection, peer, advance } = await open({ partBytes: 100 });
    peer.send(dataFrame(1, 1_048_577));
    await advance(5);
    expect(connection.end).toEqual({ cause: 'violation', reason: 'frame is too large' });
  });

  test('[CH4] parts for a channel that has stopped reading, and for a closed one, are dropped', async () => {
    const { channel, connection, peer, advance } = await open({ partBytes: 100 });
    channel.stopReading();
    peer.send(dataFrame(1, 5_000));
    await advance(5);
    channel.end();
    peer.send(closedFrame(1), dataFrame(1, 5_000));
    await advance(5);
    expect(connection.end).toBeUndefined();
    expect(connection.channelCount).toBe(0);
  });

  test('[FR1] frames other than data are delivered whole, however the network splits them', async () => {
    const { channels, onChannelRequest } = acceptAll();
    const { peer, advance } = simulate({ onChannelRequest, partBytes: 1 });
    peer.send(hello, requestFrame(1, 'forward/tcp/80'));
    await advance(5);
    expect(channels.map(({ endpoint }) => endpoint)).toEqual(['forward/tcp/80']);
  });
});

describe('a channel that is drained', () => {
  test('[CR4] consumed data returns credit, data that is being consumed does not', async () => {
    const { channel, peer, advance } = await open();
    const taken: Uint8Array[] = [];
    let free = (): void => {};
    void channel.drain((bytes) => {
      taken.push(bytes);
      return new Promise((resolve) => (free = resolve));
    });
    peer.send(dataFrame(1, 9_000), dataFrame(1, 7_000));
    await advance(5);
    expect([sizes(taken), peer.all('ChannelAdjust')]).toEqual([[9_000], []]);
    free();
    await advance(5);
    expect([sizes(taken), peer.all('ChannelAdjust')]).toEqual([[9_000, 7_000], [adjustFrame(101, 1, 9_000)]]);
  });

  test('[EN1] ends with the stream, after all earlier data', async () => {
    const { channel, peer, advance } = await open();
    peer.send(dataFrame(1, 10), dataFrame(1, 20), closedFrame(1));
    await advance(5);
    const taken: Uint8Array[] = [];
    await channel.drain((bytes) => void taken.push(bytes));
    expect(sizes(taken)).toEqual([10, 20]);
    expect(await channel.read()).toBeNull();
  });

  test('allows only one drain at a time, which gets the error', async () => {
    const { channel, peer, advance } = await open();
    const draining = channel.drain(() => Promise.reject(new Error('the disk is full')));
    await expect(channel.drain(() => undefined)).rejects.toThrow('waiting already');
    await expect(channel.read()).rejects.toThrow('waiting already');
    peer.send(dataFrame(1, 10));
    await Promise.all([advance(5), expect(draining).rejects.toThrow('the disk is full')]);
  });

  test('[CR4] that is stopped while bytes are being consumed counts them once', async () => {
    const { channel, connection, peer, advance } = await open();
    let free = (): void => {};
    const draining = channel.drain(() => new Promise((resolve) => (free = resolve)));
    peer.send(dataFrame(1, 16_384));
    await advance(5);
    channel.stopReading('enough');
    free();
    channel.end();
    peer.send(closedFrame(1));
    await advance(5);
    expect(await isSettled(draining)).toBe(true);
    expect([connection.channelCount, connection.end]).toEqual([0, undefined]);
  });
});

describe('owned bytes', () => {
  test('[CR2] are freed once the last of them was sent, and not before', async () => {
    const { channel, peer, advance } = await open();
    const { trackBuffer } = await import('./buffer-tracking.ts');
    const bytes = new Uint8Array(40_000).fill(3);
    trackBuffer(bytes);
    const giving = channel.writeOwned(bytes);
    await advance(5);
    expect(bytes.length).toBe(40_000);
    peer.send(adjustFrame(1, 10, 100_000));
    await advance(5);
    await giving;
    expect(bytes.length).toBe(0);
    const sent = peer.all('ChannelData');
    expect(sizes(sent.map(({ payload }) => payload))).toEqual([16_384, 23_616]);
    expect(sent.every(({ payload }) => payload.every((byte) => byte === 3))).toBe(true);
  });
});
