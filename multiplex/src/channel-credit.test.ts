import type { Limits } from './limits.ts';
import { describe, expect, test } from 'vitest';
import {
  acceptAll,
  acceptFrame,
  adjustFrame,
  dataFrame,
  drain,
  hello,
  isSettled,
  open,
  requestFrame,
  simulate,
} from '../test/simulation.ts';

const violation = (reason: string) => ({ cause: 'violation', reason });

describe('credit', () => {
  test('[CR1] requests and acceptances grant exactly 128 frames and 16 384 bytes', async () => {
    const { connection, peer, advance } = simulate(acceptAll());
    void connection.openChannel('x').catch(() => undefined);
    peer.send(hello, requestFrame(1));
    await advance(5);
    const credit = { frameCredit: 128, byteCredit: 16_384 };
    expect(peer.all('ChannelRequest')).toMatchObject([credit]);
    expect(peer.all('ChannelAccept')).toMatchObject([credit]);
  });

  test('[CR2] sending stops when the byte credit is used up, and continues with every byte of new credit', async () => {
    const { channel, peer, advance } = await open();
    const writing = channel.write(new Uint8Array(20_000));
    await advance(5);
    const sent = (): number => peer.all('ChannelData').reduce((sum, frame) => sum + frame.payload.length, 0);
    expect(sent()).toBe(16_384);
    expect(await isSettled(writing)).toBe(false);
    peer.send(adjustFrame(1, 0, 1));
    await advance(5);
    expect(sent()).toBe(16_385);
    peer.send(adjustFrame(1, 0, 1_000_000));
    await advance(5);
    await writing;
    expect(sent()).toBe(20_000);
  });

  test('[CR2] sending stops when the frame credit is used up', async () => {
    const { channel, peer, advance } = await open();
    const writes = Array.from({ length: 130 }, () => channel.write(Uint8Array.of(1)));
    await advance(5);
    expect(peer.all('ChannelData')).toHaveLength(128);
    peer.send(adjustFrame(1, 1, 0));
    await advance(5);
    expect(peer.all('ChannelData')).toHaveLength(129);
    expect(await isSettled(writes[128]!)).toBe(true);
    expect(await isSettled(writes[129]!)).toBe(false);
  });

  test('[CR2] the initial credit that the peer grants is used', async () => {
    const { connection, peer, advance } = simulate();
    peer.send(hello);
    const opening = connection.openChannel('x');
    await advance(1);
    peer.send({ kind: 'ChannelAccept', receiverId: 1, senderId: 1, frameCredit: 3, byteCredit: 100_000 });
    await advance(1);
    void (await opening).write(new Uint8Array(200_000)).catch(() => undefined);
    await advance(5);
    expect(peer.all('ChannelData').map((frame) => frame.payload.length)).toEqual([65_536, 34_464]);
  });

  test('[CR3] sending without credit ends the connection', async () => {
    const bytes = await open();
    bytes.peer.send(dataFrame(1, 16_384), dataFrame(1, 1));
    await bytes.advance(5);
    expect(bytes.connection.end).toEqual(violation('data without credit'));
    const frames = await open();
    for (let count = 0; count < 129; count += 1) frames.peer.send(dataFrame(1, 1));
    await frames.advance(5);
    expect(frames.connection.end).toEqual(violation('data without credit'));
  });

  test('[CR4] reading returns credit, not reading returns none', async () => {
    const { channel, peer, advance } = await open();
    for (let count = 0; count < 4; count += 1) peer.send(dataFrame(1, 4_096));
    await advance(5);
    await channel.read();
    await channel.read();
    await advance(5);
    expect(peer.all('ChannelAdjust')).toEqual([]);
    await channel.read();
    await advance(5);
    expect(peer.all('ChannelAdjust')).toEqual([adjustFrame(101, 3, 12_288)]);
  });

  test('[CR6] windows grow within 8 MiB for the whole connection', async () => {
    const { channels, onChannelRequest } = acceptAll();
    const limits = { receiveBudgetBytes: 4 * 16_384 + 16_384, maxChannels: 4 };
    const { connection, peer, advance } = simulate({ onChannelRequest, limits, pingIntervalMs: 5_000 });
    peer.send(hello, requestFrame(1), requestFrame(2), requestFrame(3), requestFrame(4));
    await advance(1_000);
    await advance(500);
    peer.send({ kind: 'Pong' });
    await advance(2);
    for (const channel of channels) void drain(channel);
    for (let round = 0; round < 4; round += 1) {
      for (let id = 1; id <= 4; id += 1) peer.send(dataFrame(id, 8_193));
      await advance(5);
    }
    const granted = new Map<number, number>();
    for (const { receiverId, byteCredit } of peer.all('ChannelAdjust')) {
      granted.set(receiverId, Math.max(granted.get(receiverId) ?? 0, byteCredit));
    }
    expect([...granted.values()].filter((bytes) => bytes > 16_384)).toHaveLength(1);
    expect(connection.end).toBeUndefined();
  });

  /** Lets a peer use all its credit on channels that are read immediately; returns the final size of each window. */
  async function windowsOf(limits: Partial<Limits>, rounds: number[][]) {
    const { channels, onChannelRequest } = acceptAll();
    const options = { onChannelRequest, limits, delayChannelClosed: true };
    const { connection, peer, advance } = simulate(options);
    peer.send(hello, ...[1, 2].map((id) => requestFrame(id)));
    await advance(5);
    for (const channel of channels) void drain(channel);
    const left = new Map([1, 2].map((id) => [id, 16_384]));
    const most = new Map(left);
    let seen = 0;
    for (const ids of rounds) {
      for (const id of ids) peer.send(dataFrame(id, left.get(id)!));
      for (const id of ids) left.set(id, 0);
      await advance(2);
      if (peer.all('Ping').length > peer.all('Pong').length && seen === 0) peer.send({ kind: 'Pong' });
      const adjusts = peer.all('ChannelAdjust');
      for (const { receiverId: id, byteCredit } of adjusts.slice(seen))
        left.set(id, left.get(id)! + byteCredit);
      seen = adjusts.length;
      for (const id of ids) most.set(id, left.get(id)!);
    }
    expect(connection.end).toBeUndefined();
    return [...most.values()];
  }

  const budget = { receiveBudgetBytes: 144 * 1_024, maxChannels: 2, maxWindowBytes: 131_072 };
  const alone = Array.from({ length: 8 }, () => [1]);
  const both = Array.from({ length: 8 }, () => [1, 2]);

  test('[CR6] a window does not grow into the memory reserved for the initial windows of further channels', async () => {
    expect(await windowsOf(budget, alone)).toEqual([131_072, 16_384]);
    expect(await windowsOf({ ...budget, maxChannels: 3 }, alone)).toEqual([65_536, 16_384]);
  });

  test('[CR11] a window above its share shrinks for one below its share', async () => {
    expect(await windowsOf(budget, [...alone, ...both])).toEqual([65_536, 65_536]);
  });

  test('[CR7] an overflow is a violation, a zero credit has no effect', async () => {
    const { connection, peer, advance } = await open();
    peer.send(adjustFrame(1, 0, 0));
    await advance(5);
    expect(connection.end).toBeUndefined();
    peer.send(adjustFrame(1, 0xffff_ffff, 0));
    await advance(5);
    expect(connection.end).toEqual(violation('credit overflow'));
  });

  test('[CR8] a channel without credit does not delay others', async () => {
    const { connection, channel, peer, advance } = await open();
    const stuck = channel.write(new Uint8Array(50_000));
    const opening = connection.openChannel('y');
    await advance(2);
    peer.send(acceptFrame(2, 102));
    await advance(2);
    await (await opening).write(Uint8Array.of(1, 2, 3));
    await advance(2);
    expect(peer.all('ChannelData').at(-1)).toMatchObject({ receiverId: 102 });
    expect(await isSettled(stuck)).toBe(false);
    connection.close('');
    await expect(stuck).rejects.toMatchObject({ name: 'ChannelClosure' });
  });

  test('[CR8] when the transport is full no data is sent, and then channels take turns', async () => {
    const limits = { maxBufferedBytes: 2_000, maxPayloadBytes: 1_000 };
    const { connection, channel, near, peer, advance } = await open({ limits, delayMs: 10 });
    const opening = connection.openChannel('y');
    await advance(10);
    peer.send(acceptFrame(2, 102));
    await advance(10);
    const other = await opening;
    const first = channel.write(new Uint8Array(6_000));
    const second = other.write(new Uint8Array(3_000));
    await advance(10);
    expect(peer.all('ChannelData').map((frame) => frame.receiverId)).toEqual([101, 101]);
    for (let step = 0; step < 10; step += 1) {
      expect(near.bufferedBytes).toBeLessThan(2_000 + 1_009);
      await advance(10);
    }
    await Promise.all([first, second]);
    const order = peer.all('ChannelData').map((frame) => frame.receiverId);
    expect(order.slice(0, 8)).toEqual([101, 101, 101, 102, 101, 102, 101, 102]);
    expect(order).toHaveLength(9);
  });

  test('[CR8] a later write does not overtake one that waits for room', async () => {
    const limits = { maxBufferedBytes: 2_000, maxPayloadBytes: 1_000 };
    const { connection, channel, peer, advance } = await open({ limits, delayMs: 10 });
    const opening = connection.openChannel('y');
    await advance(10);
    peer.send(acceptFrame(2, 102));
    await advance(10);
    const other = await opening;
    void channel.write(new Uint8Array(1_000));
    await advance(5);
    void channel.write(new Uint8Array(2_000));
    await advance(6);
    // The first frame was sent, so there is room again, but only for the second half of the same write.
    void other.write(new Uint8Array(1_000));
    await advance(100);
    expect(peer.all('ChannelData').map((frame) => frame.receiverId)).toEqual([101, 101, 101, 102]);
  });

  test('[CR9] after reading has stopped, received data is still checked against credit and returns none', async () => {
    const { connection, channel, peer, advance } = await open();
    peer.send(dataFrame(1, 10_000));
    await advance(2);
    channel.stopReading('enough');
    peer.send(dataFrame(1, 6_384));
    await advance(5);
    expect(connection.end).toBeUndefined();
    expect(peer.all('ChannelAdjust')).toEqual([]);
    peer.send(dataFrame(1, 1));
    await advance(5);
    expect(connection.end).toEqual(violation('data without credit'));
  });

  test('[CR10] empty payloads cost a frame, return its credit, and are not delivered', async () => {
    const { channel, connection, peer, advance } = await open();
    const reading = channel.read();
    for (let count = 0; count < 65; count += 1) peer.send(dataFrame(1, 0));
    await advance(5);
    expect(peer.all('ChannelAdjust')).toEqual([adjustFrame(101, 65, 0)]);
    expect(await isSettled(reading)).toBe(false);
    peer.send(dataFrame(1, 1));
    await advance(5);
    expect((await reading)?.length).toBe(1);
    await channel.write(new Uint8Array(0));
    expect(connection.end).toBeUndefined();
  });
});

test('[CR2] a head goes before its bytes in one frame, and both wait for credit for the whole head', async () => {
  const { channel, peer, advance } = await open();
  void channel.writeOwned(new Uint8Array(16_381));
  const head = Uint8Array.of(1, 2, 3);
  const waiting = channel.writeOwned(Uint8Array.of(4, 5), head);
  await advance(5);
  expect(peer.all('ChannelData')).toHaveLength(1);
  peer.send(adjustFrame(1, 10, 1));
  await advance(5);
  expect(peer.all('ChannelData').at(-1)?.payload).toEqual(Uint8Array.of(1, 2, 3, 4));
  peer.send(adjustFrame(1, 10, 1));
  await advance(5);
  await waiting;
  expect(peer.all('ChannelData').at(-1)?.payload).toEqual(Uint8Array.of(5));
});
