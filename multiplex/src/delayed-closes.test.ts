import { describe, expect, test } from 'vitest';
import { acceptFrame, adjustFrame, closeFrame, dataFrame, open, simulate } from '../test/simulation.ts';
import { toBytes, toReadableText } from './text.ts';

type Simulation = Awaited<ReturnType<typeof open>>;

/** A channel to a peer that drops unread data; the round trip is 2 ms. */
async function openHeld(options: { pongs?: boolean } = {}): Promise<Simulation> {
  const simulation = await open({
    delayChannelClosed: true,
    schedule: (run, delayMs) => later.run?.(run, delayMs),
  });
  const { scheduler, peer } = simulation;
  later.run = (run, delayMs) => scheduler.schedule(run, delayMs);
  if (options.pongs !== false) answerPings(simulation, peer);
  return simulation;
}

const later: { run?: (run: () => void, delayMs: number) => void } = {};

/** Makes the peer answer every Ping. */
function answerPings({ scheduler }: Simulation, peer: Simulation['peer']): void {
  let answered = 0;
  const look = (): void => {
    for (; answered < peer.all('Ping').length; answered += 1) peer.send({ kind: 'Pong' });
    scheduler.schedule(look, 1);
  };
  look();
}

const closings = ({ peer }: Simulation): number => peer.all('ChannelClosed').length;

describe('for a peer that drops unread data', () => {
  test('[HO2] the end of a short stream is sent 200 ms after its last byte', async () => {
    const simulation = await openHeld();
    await simulation.channel.write(new Uint8Array(100));
    simulation.channel.end('done');
    await simulation.advance(199);
    expect(closings(simulation)).toBe(0);
    expect(simulation.peer.all('ChannelData')).toHaveLength(1);
    await simulation.advance(5);
    expect(closings(simulation)).toBe(1);
  });

  test('[HO2] data that was sent long ago needs no further delay', async () => {
    const simulation = await openHeld();
    await simulation.channel.write(new Uint8Array(100));
    await simulation.advance(300);
    simulation.channel.end();
    await simulation.advance(2);
    expect(closings(simulation)).toBe(1);
  });

  test('[HO1] the end is delayed as long as more than half of the window is unacknowledged', async () => {
    const simulation = await openHeld();
    const { channel, peer, advance } = simulation;
    await channel.write(new Uint8Array(8_193));
    channel.end();
    for (let second = 0; second < 60; second += 1) {
      peer.send({ kind: 'Ping' });
      await advance(1_000);
    }
    expect(closings(simulation)).toBe(0);
  });

  test('[HO1] [HO2] after a slow credit it is delayed by the time which that credit took', async () => {
    const simulation = await openHeld();
    const { channel, peer, advance } = simulation;
    await channel.write(new Uint8Array(8_193));
    channel.end();
    await advance(3_000);
    expect(closings(simulation)).toBe(0);
    peer.send(adjustFrame(1, 1, 8_193));
    await advance(2_990);
    expect(closings(simulation)).toBe(0);
    await advance(20);
    expect(closings(simulation)).toBe(1);
  });

  test('[HO1] the frames of the window count as well', async () => {
    const simulation = await openHeld();
    for (let count = 0; count < 65; count += 1) await simulation.channel.write(Uint8Array.of(1));
    simulation.channel.end();
    await simulation.advance(1_000);
    expect(closings(simulation)).toBe(0);
    simulation.peer.send(adjustFrame(1, 65, 65));
    await simulation.advance(1_100);
    expect(closings(simulation)).toBe(1);
  });

  test('[HO1] a credit larger than the window shows that the window has doubled', async () => {
    const simulation = await openHeld();
    const { channel, peer, advance } = simulation;
    await channel.write(new Uint8Array(10_000));
    peer.send(adjustFrame(1, 1, 10_000 + 16_384));
    await advance(5);
    // Of 32 768 bytes, 16 385 are more than half, although more than half of the first window is left.
    await channel.write(new Uint8Array(16_385));
    channel.end();
    await advance(2_000);
    expect(closings(simulation)).toBe(0);
    peer.send(adjustFrame(1, 1, 16_385));
    await advance(2_100);
    expect(closings(simulation)).toBe(1);
  });

  test('[HO1] the window of frames doubles as well', async () => {
    const simulation = await openHeld();
    const { channel, peer, advance } = simulation;
    for (let count = 0; count < 70; count += 1) await channel.write(Uint8Array.of(1));
    peer.send(adjustFrame(1, 70 + 128, 70));
    await advance(5);
    for (let count = 0; count < 129; count += 1) await channel.write(Uint8Array.of(1));
    channel.end();
    await advance(2_000);
    expect(closings(simulation)).toBe(0);
    peer.send(adjustFrame(1, 129, 129));
    await advance(2_100);
    expect(closings(simulation)).toBe(1);
  });

  test('[HO2] [HO4] it is delayed by two round trips, also while a Ping is unanswered', async () => {
    const simulation = await openHeld({ pongs: false });
    const { channel, peer, advance } = simulation;
    await channel.write(new Uint8Array(100));
    channel.end();
    await advance(400);
    expect(peer.all('Ping')).toHaveLength(1);
    expect(closings(simulation)).toBe(0);
    peer.send({ kind: 'Pong' });
    await advance(390);
    expect(closings(simulation)).toBe(0);
    await advance(30);
    expect(closings(simulation)).toBe(1);
  });

  test('[HO4] a peer that never answers the Ping does not delay the end for ever', async () => {
    const simulation = await openHeld({ pongs: false });
    await simulation.channel.write(new Uint8Array(100));
    simulation.channel.end();
    await simulation.advance(9_000);
    expect(closings(simulation)).toBe(1);
  });

  test('[HO3] data, ChannelClose, aborts and empty streams are not delayed', async () => {
    const empty = await openHeld();
    empty.channel.end();
    await empty.advance(1);
    expect(closings(empty)).toBe(1);
    const used = await openHeld();
    await used.channel.write(new Uint8Array(16_384));
    used.channel.stopReading();
    await used.advance(1);
    expect(used.peer.all('ChannelData')).toHaveLength(1);
    expect(used.peer.all('ChannelClose')).toHaveLength(1);
    used.channel.end();
    used.channel.abort();
    await used.advance(1);
    expect(closings(used)).toBe(1);
    await used.advance(1_000);
    expect(closings(used)).toBe(1);
  });

  test('[EN2] [HO3] a peer that stops reading meanwhile needs no ChannelClosed', async () => {
    const simulation = await openHeld();
    const { channel, connection, peer, advance } = simulation;
    await channel.write(new Uint8Array(100));
    channel.end();
    peer.send(closeFrame(1), dataFrame(1, 3));
    await advance(1_000);
    expect(closings(simulation)).toBe(0);
    expect((await channel.read())?.length).toBe(3);
    expect(connection.end).toBeUndefined();
  });

  test('[HO2] without a scheduler the next tick sends due frames', async () => {
    const simulation = await open({ delayChannelClosed: true });
    await simulation.channel.write(new Uint8Array(100));
    await simulation.advance(2);
    simulation.peer.send({ kind: 'Pong' });
    simulation.channel.end();
    await simulation.advance(900);
    expect(closings(simulation)).toBe(0);
    await simulation.advance(1_000);
    await simulation.advance(2);
    expect(closings(simulation)).toBe(1);
  });

  test.each([
    ['corral-agent/0.1.0', 1],
    ['corral-', 1],
    ['', 0],
    ['my-corral-agent', 0],
    ['Corral-agent', 0],
  ])('[HO5] of a peer that says it is %j, %i ends go out at once', async (info, sent) => {
    const simulation = simulate({ delayChannelClosed: true });
    const { connection, peer, advance } = simulation;
    peer.send({ kind: 'Hello', info: toBytes(info) });
    const opening = connection.openChannel('forward/tcp/80');
    await advance(1);
    peer.send(acceptFrame(1, 101));
    await advance(1);
    const channel = await opening;
    await channel.write(new Uint8Array(100));
    channel.end();
    await advance(1);
    expect(peer.all('ChannelClosed')).toHaveLength(sent);
  });

  test('[HO5] delayed frames are sent once the peer is known to keep unread data', async () => {
    const simulation = await openHeld();
    const { channel, connection, peer, advance } = simulation;
    await channel.write(new Uint8Array(10_000));
    channel.end('done');
    await advance(1);
    expect(closings(simulation)).toBe(0);
    connection.disableDelayedClose();
    await advance(1);
    expect(peer.all('ChannelClosed').map(({ reason }) => toReadableText(reason))).toEqual(['done']);
    await advance(1_000);
    expect(closings(simulation)).toBe(1);
  });
});
