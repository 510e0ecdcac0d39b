import { describe, expect, test } from 'vitest';
import { adjustFrame, closeFrame, closedFrame, dataFrame, open } from '../test/simulation.ts';

const violation = (reason: string) => ({ cause: 'violation', reason });

describe('the end of a channel', () => {
  test('[EN1] after one direction has ended the other continues', async () => {
    const { channel, connection, peer, advance } = await open();
    void channel.write(new Uint8Array(20_000));
    channel.end('all said');
    await expect(channel.write(Uint8Array.of(1))).rejects.toMatchObject({ name: 'ChannelClosure' });
    await advance(5);
    expect(peer.all('ChannelClosed')).toEqual([]);
    peer.send(adjustFrame(1, 10, 10_000));
    await advance(5);
    expect(peer.frames.at(-1)).toEqual(closedFrame(101, 'all said'));
    for (let count = 0; count < 5; count += 1) {
      peer.send(dataFrame(1, 10_000));
      await advance(5);
      expect((await channel.read())?.length).toBe(10_000);
      await advance(5);
    }
    expect(channel.isClosed).toBe(false);
    peer.send(closedFrame(1));
    await advance(5);
    expect(await channel.read()).toBeNull();
    expect(await channel.closed).toBe('');
    expect(connection.channelCount).toBe(0);
  });

  test('[EN2] when the peer stops reading, writers are notified and reading continues', async () => {
    const { channel, peer, advance } = await open();
    const writing = channel.write(new Uint8Array(20_000)).catch((error: unknown) => error);
    await advance(5);
    peer.send(closeFrame(1, 'disk full'), adjustFrame(1, 10, 10_000), dataFrame(1, 3));
    await advance(5);
    expect(await writing).toMatchObject({ name: 'ChannelClosure', message: 'disk full' });
    await expect(channel.write(Uint8Array.of(1))).rejects.toThrow('disk full');
    channel.end();
    expect((await channel.read())?.length).toBe(3);
    await advance(5);
    expect(peer.all('ChannelClosed')).toEqual([]);
    const data = peer.all('ChannelData').reduce((sum, frame) => sum + frame.payload.length, 0);
    expect(data).toBe(16_384);
  });

  test('[EN2] stopReading notifies the peer once and drops unread data', async () => {
    const { channel, peer, advance } = await open();
    peer.send(dataFrame(1, 3));
    await advance(5);
    channel.stopReading('enough');
    channel.stopReading('enough');
    expect(await channel.read()).toBeNull();
    await advance(5);
    expect(peer.all('ChannelClose')).toEqual([closeFrame(101, 'enough')]);
    await channel.write(Uint8Array.of(1));
    await advance(5);
    expect(peer.all('ChannelData')).toHaveLength(1);
  });

  test('[EN2] leaving a loop over a channel stops reading', async () => {
    const { channel, peer, advance } = await open();
    peer.send(dataFrame(1, 3), dataFrame(1, 3));
    await advance(5);
    for await (const bytes of channel) {
      expect(bytes.length).toBe(3);
      break;
    }
    await advance(5);
    expect(peer.all('ChannelClose')).toHaveLength(1);
  });

  test('[EN3] a channel counts against the limit until all received data was read', async () => {
    const { channel, connection, peer, advance } = await open();
    peer.send(dataFrame(1, 5), closedFrame(1));
    await advance(5);
    channel.end();
    expect(channel.isClosed).toBe(true);
    expect(connection.channelCount).toBe(1);
    await channel.read();
    expect(connection.channelCount).toBe(0);
  });

  test('[EN3] data that is read after the end of the peer returns no credit', async () => {
    const { channel, peer, advance } = await open();
    peer.send(dataFrame(1, 16_384), closedFrame(1));
    await advance(5);
    expect((await channel.read())?.length).toBe(16_384);
    await advance(5);
    expect(peer.all('ChannelAdjust')).toEqual([]);
  });

  test('[EN4] when the connection ends, received data can still be read', async () => {
    const { channel, peer, advance } = await open();
    peer.send(dataFrame(1, 5), dataFrame(1, 6));
    await advance(5);
    peer.end();
    await advance(5);
    expect((await channel.read())?.length).toBe(5);
    expect((await channel.read())?.length).toBe(6);
    expect(await channel.read()).toBeNull();
    expect(await channel.read()).toBeNull();
    await expect(channel.write(Uint8Array.of(1))).rejects.toMatchObject({ name: 'ChannelClosure' });
    channel.end();
    channel.abort();
  });

  test('[EN4] a pending read ends', async () => {
    const { channel, peer, advance } = await open();
    const reading = channel.read();
    await expect(channel.read()).rejects.toThrow('a read is waiting already');
    peer.end();
    await advance(5);
    expect(await reading).toBeNull();
    expect(await channel.closed).toBe('');
  });

  test('[EN5] data for a direction that the peer had ended is dropped', async () => {
    const { channel, connection, peer, advance } = await open();
    peer.send(closedFrame(1), dataFrame(1, 5), closedFrame(1), closeFrame(1), closeFrame(1));
    await advance(5);
    expect(await channel.read()).toBeNull();
    expect(connection.end).toBeUndefined();
  });

  test('[EN6] aborting drops unsent and unread data and ends both directions', async () => {
    const { channel, connection, peer, advance } = await open();
    const writing = channel.write(new Uint8Array(20_000)).catch((error: unknown) => error);
    peer.send(dataFrame(1, 5));
    await advance(5);
    channel.abort('broken');
    channel.abort('broken');
    expect(await writing).toMatchObject({ name: 'ChannelClosure', message: 'broken' });
    expect(await channel.read()).toBeNull();
    expect(connection.channelCount).toBe(0);
    await advance(5);
    expect(peer.frames.slice(-2)).toEqual([closedFrame(101, 'reset: broken'), closeFrame(101, 'broken')]);
  });

  test.each([
    ['an end in good order', closedFrame(1, 'all said'), undefined],
    ['a reset with a reason', closedFrame(1, 'reset: the disk is full'), 'the disk is full'],
    ['a reset without one', closedFrame(1, 'reset'), 'the stream was reset'],
  ])('[EN7] %s is reported as such, after the data before it', async (_what, frame, resetReason) => {
    const { channel, peer, advance } = await open();
    peer.send(dataFrame(1, 5), frame);
    await advance(5);
    expect((await channel.read())?.length).toBe(5);
    expect(await channel.read()).toBeNull();
    expect(channel.resetReason).toBe(resetReason);
  });

  test('[EN7] the end of a connection aborts the streams that have not ended, and no others', async () => {
    const { channel, peer, advance } = await open();
    peer.end();
    await advance(5);
    expect(channel.resetReason).toBe('the connection ended');
    const other = await open();
    other.peer.send(closedFrame(1));
    await other.advance(5);
    other.peer.end();
    await other.advance(5);
    expect(other.channel.resetReason).toBeUndefined();
  });

  test('[CL5] data in flight for a closed channel is accepted, more than that is a violation', async () => {
    const { channel, connection, peer, advance } = await open();
    channel.abort();
    for (let count = 0; count < 4_100; count += 1) peer.send(dataFrame(1, 1));
    await advance(5);
    expect(connection.end).toBeUndefined();
    for (let count = 0; count < 300; count += 1) peer.send(dataFrame(1, 1));
    await advance(5);
    expect(connection.end).toEqual(violation('too many control frames'));
  });
});
