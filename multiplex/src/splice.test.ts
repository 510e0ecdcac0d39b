import { describe, expect, test } from 'vitest';
import type { Channel } from './channel.ts';
import { MultiplexConnection } from './connection.ts';
import { settle } from '../test/simulation.ts';
import { splice } from './splice.ts';
import { MemoryScheduler, MemoryTransport } from './transports/memory.ts';

/** A command line and a device, each connected to a hub that splices the requested channels to the device. */
async function spliced() {
  const scheduler = new MemoryScheduler(settle);
  const now = (): number => scheduler.nowMs;
  const link = () => MemoryTransport.pair({ scheduler, delayMs: () => 2 });
  const [hubSide, deviceSide] = link();
  const [frontSide, cliSide] = link();
  const accepted = Promise.withResolvers<Channel>();
  const over = Promise.withResolvers<void>();
  const toDevice = new MultiplexConnection({ transport: hubSide, now });
  const device = new MultiplexConnection({
    transport: deviceSide,
    now,
    onChannelRequest: (request) => accepted.resolve(request.accept()),
  });
  const hub = new MultiplexConnection({
    transport: frontSide,
    now,
    onChannelRequest: async (request) => {
      const far = await toDevice.openChannel('forward/tcp/80');
      over.resolve(splice(request.accept(), far));
    },
  });
  const cli = new MultiplexConnection({ transport: cliSide, now });
  const opening = cli.openChannel('device/d/proxy/forward/tcp/80');
  await scheduler.advance(20);
  const [near, far] = await Promise.all([opening, accepted.promise]);
  return { scheduler, near, far, over: over.promise, hub, toDevice, device, cli };
}

describe('splice', () => {
  test('[EN1] copies in both directions, which end independently', async () => {
    const { scheduler, near, far, over, hub } = await spliced();
    await near.write(Uint8Array.of(1, 2));
    near.end();
    await scheduler.advance(20);
    expect([...(await far.read())!]).toEqual([1, 2]);
    expect(await far.read()).toBeNull();
    await far.write(Uint8Array.of(3));
    far.end();
    await scheduler.advance(20);
    expect([...(await near.read())!]).toEqual([3]);
    expect(await near.read()).toBeNull();
    await over;
    expect(hub.channelCount).toBe(0);
  });

  test('[CR4] [CR8] a receiver that does not read stops the sender, after one window on each connection', async () => {
    const { scheduler, near } = await spliced();
    let written = 0;
    void (async () => {
      for (;;) {
        await near.write(new Uint8Array(1_000));
        written += 1_000;
      }
    })().catch(() => undefined);
    await scheduler.advance(5_000);
    // One window is buffered at the device, one in the hub, and one payload is in between.
    expect(written).toBeGreaterThanOrEqual(16_000);
    expect(written).toBeLessThanOrEqual(2 * 16_384 + 32_768);
  });

  test('[EN2] a receiver that stops reading stops the sender', async () => {
    const { scheduler, near, far } = await spliced();
    far.stopReading('disk full');
    await scheduler.advance(20);
    await expect(near.write(Uint8Array.of(1))).rejects.toThrow('disk full');
  });

  test('[EN7] a stream that is aborted at one end is aborted at the other', async () => {
    const { scheduler, near, far, over } = await spliced();
    far.abort('the program at the port is gone');
    await scheduler.advance(20);
    expect(await near.read()).toBeNull();
    expect(near.resetReason).toBe('the program at the port is gone');
    await expect(near.write(Uint8Array.of(1))).rejects.toThrow('the program at the port is gone');
    await over;
  });

  test('[EN7] the loss of one connection aborts the stream on the other', async () => {
    const { scheduler, near, device } = await spliced();
    device.close('reboot');
    await scheduler.advance(20);
    expect(await near.read()).toBeNull();
    expect(near.resetReason).toBe('reboot');
  });

  test('[EN4] the end of one connection ends the stream on the other', async () => {
    const { scheduler, near, over, device, cli } = await spliced();
    device.close('reboot');
    await scheduler.advance(20);
    expect(await near.read()).toBeNull();
    near.end();
    await scheduler.advance(20);
    await over;
    expect(cli.channelCount).toBe(0);
  });
});
