import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import type { Channel } from './channel.ts';
import { MultiplexConnection } from './connection.ts';
import { settle } from '../test/simulation.ts';
import { MemoryScheduler, MemoryTransport } from './transports/memory.ts';

const maxWriteBytes = 60_000;

/** The traffic of one direction of a channel: the sizes of the writes, and the delay between two reads. */
interface Flow {
  readonly writes: number[];
  readonly readDelayMs: number;
}

interface Plan {
  readonly delays: number[];
  /** The sizes of the parts in which data arrives. */
  readonly parts: number[];
  readonly channels: { out: Flow; back: Flow }[];
  readonly delayChannelClosed: boolean;
  readonly pingIntervalMs: number;
}

const flow: fc.Arbitrary<Flow> = fc.record({
  writes: fc.array(fc.oneof(fc.nat({ max: 40 }), fc.nat({ max: maxWriteBytes })), { maxLength: 12 }),
  readDelayMs: fc.constantFrom(0, 0, 1, 30),
});

const plan: fc.Arbitrary<Plan> = fc.record({
  delays: fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 40 }),
  // Readers wait between parts, so most parts must not be tiny.
  parts: fc
    .array(fc.integer({ min: 4_000, max: 70_000 }), { minLength: 3, maxLength: 20 })
    .map((sizes) => [1, ...sizes, 13]),
  channels: fc.array(fc.record({ out: flow, back: flow }), { minLength: 1, maxLength: 6 }),
  delayChannelClosed: fc.boolean(),
  pingIntervalMs: fc.constantFrom(0, 5_000),
});

const pool = pseudoRandomBytes(2 * maxWriteBytes);

function pseudoRandomBytes(sizeBytes: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length: sizeBytes }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state & 0xff;
  });
}

/** The bytes of one direction of one channel, different for each, so that data in the wrong channel is detected. */
function content(seed: number, sizes: number[]): Uint8Array[] {
  return sizes.map((size, index) => {
    const start = (seed * 7_919 + index * 104_729) % maxWriteBytes;
    return pool.slice(start, start + size);
  });
}

/** Two connections over a simulated network with the delays of the plan. */
class Simulation {
  readonly scheduler = new MemoryScheduler(settle);
  readonly transports: [MemoryTransport, MemoryTransport];
  readonly hub: MultiplexConnection;
  readonly device: MultiplexConnection;
  readonly accepted: Channel[] = [];

  constructor(settings: Plan) {
    const { scheduler } = this;
    let sent = 0;
    const delayMs = (): number => settings.delays[sent++ % settings.delays.length]!;
    let partCount = 0;
    const partBytes = (): number => settings.parts[partCount++ % settings.parts.length]!;
    this.transports = MemoryTransport.pair({ scheduler, delayMs, partBytes });
    const now = (): number => scheduler.nowMs;
    const schedule = (run: () => void, afterMs: number): void => scheduler.schedule(run, afterMs);
    const { delayChannelClosed, pingIntervalMs } = settings;
    this.hub = new MultiplexConnection({
      transport: this.transports[0],
      now,
      schedule,
      delayChannelClosed,
      onChannelRequest: (request) => void this.accepted.push(request.accept()),
    });
    this.device = new MultiplexConnection({ transport: this.transports[1], now, schedule, pingIntervalMs });
  }

  /** Advances the time, ticking both connections, until a promise is settled; fails after ten minutes. */
  async until(promise: Promise<unknown>): Promise<void> {
    let isSettled = false;
    void promise.catch(() => undefined).finally(() => (isSettled = true));
    for (let second = 0; !isSettled; second += 1) {
      if (second > 600) throw new Error('no progress for ten minutes');
      await this.scheduler.advance(1_000);
      this.hub.tick();
      this.device.tick();
    }
  }

  elapse(durationMs: number): Promise<void> {
    return new Promise((resolve) => this.scheduler.schedule(resolve, durationMs));
  }

  async read(channel: Channel, readDelayMs: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const part of channel) {
      parts.push(part);
      if (readDelayMs > 0) await this.elapse(readDelayMs);
    }
    return Buffer.concat(parts);
  }
}

async function writeAll(channel: Channel, pieces: Uint8Array[]): Promise<void> {
  for (const piece of pieces) await channel.write(piece);
  channel.end();
}

/** Opens all channels of a plan; pairs of the device's and the hub's end. */
async function openAll(simulation: Simulation, settings: Plan): Promise<[Channel, Channel][]> {
  const opening = Promise.all(
    settings.channels.map((_, index) => simulation.device.openChannel(`c${index}`)),
  );
  await simulation.until(opening);
  const byEndpoint = new Map(simulation.accepted.map((channel) => [channel.endpoint, channel]));
  return (await opening).map((channel) => [channel, byEndpoint.get(channel.endpoint)!]);
}

const { schedules, frameSequences } = inject('figures');
const runs = { numRuns: schedules };

describe('any plan of writes, reads and delays', () => {
  test('[CR2] [CR4] [EN1] [EN3] no data is lost, duplicated or reordered, and no credit goes below zero', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (settings) => {
        const simulation = new Simulation(settings);
        const pairs = await openAll(simulation, settings);
        const results = pairs.flatMap(([near, far], index) => {
          const { out, back } = settings.channels[index]!;
          const sent = [content(2 * index, out.writes), content(2 * index + 1, back.writes)] as const;
          void writeAll(near, sent[0]);
          void writeAll(far, sent[1]);
          return [
            { sent: sent[0], received: simulation.read(far, out.readDelayMs) },
            { sent: sent[1], received: simulation.read(near, back.readDelayMs) },
          ];
        });
        const closed = pairs.flat().map((channel) => channel.closed);
        await simulation.until(Promise.all([...results.map(({ received }) => received), ...closed]));
        for (const { sent, received } of results)
          expect((await received).equals(Buffer.concat(sent))).toBe(true);
        // A credit below zero would throw at the sender or be a violation at the receiver.
        expect([simulation.hub.end, simulation.device.end]).toEqual([undefined, undefined]);
        expect([simulation.hub.channelCount, simulation.device.channelCount]).toEqual([0, 0]);
      }),
      runs,
    );
  });

  test('[EN1] one direction ends long before the other starts', async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (settings) => {
        const simulation = new Simulation(settings);
        const pairs = await openAll(simulation, settings);
        const exchanges = pairs.map(async ([near, far], index) => {
          const { out, back } = settings.channels[index]!;
          const request = content(index, out.writes);
          const reply = content(index + 100, back.writes);
          void writeAll(near, request);
          const received = await simulation.read(far, out.readDelayMs);
          await simulation.elapse(50);
          void writeAll(far, reply);
          return (
            received.equals(Buffer.concat(request)) &&
            (await simulation.read(near, 0)).equals(Buffer.concat(reply))
          );
        });
        const all = Promise.all(exchanges);
        await simulation.until(all);
        expect(await all).toEqual(settings.channels.map(() => true));
      }),
      runs,
    );
  });

  test('[CR8] an unread channel does not stall others', async () => {
    await fc.assert(
      fc.asyncProperty(plan, fc.nat(), async (settings, which) => {
        const simulation = new Simulation(settings);
        const pairs = await openAll(simulation, settings);
        const stalled = which % pairs.length;
        const running = pairs.flatMap(([near, far], index) => {
          if (index === stalled) {
            void near.write(new Uint8Array(500_000)).catch(() => undefined);
            return [];
          }
          void writeAll(near, content(index, settings.channels[index]!.out.writes));
          return [{ index, received: simulation.read(far, 0) }];
        });
        await simulation.until(Promise.all(running.map(({ received }) => received)));
        for (const { index, received } of running) {
          const sent = Buffer.concat(content(index, settings.channels[index]!.out.writes));
          expect((await received).equals(sent)).toBe(true);
        }
        expect(simulation.hub.end).toBeUndefined();
      }),
      runs,
    );
  });

  test('[CL1] [CL2] [CL3] [EN4] a close or a lost network at any time ends both connections and every reader and writer', async () => {
    await fc.assert(
      fc.asyncProperty(
        plan,
        fc.nat({ max: 2_000 }),
        fc.constantFrom('hub', 'device', 'cut'),
        async (settings, atMs, who) => {
          const simulation = new Simulation(settings);
          const pairs = await openAll(simulation, settings);
          const writers: Promise<unknown>[] = [];
          const readers = pairs.flatMap(([near, far], index) => {
            const { out, back } = settings.channels[index]!;
            const sent = [content(2 * index, out.writes), content(2 * index + 1, back.writes)] as const;
            writers.push(writeAll(near, sent[0]).catch((error: unknown) => error));
            writers.push(writeAll(far, sent[1]).catch((error: unknown) => error));
            return [
              { sent: sent[0], received: simulation.read(far, out.readDelayMs) },
              { sent: sent[1], received: simulation.read(near, back.readDelayMs) },
            ];
          });
          simulation.scheduler.schedule(() => {
            if (who === 'cut') simulation.transports[0].destroy();
            else simulation[who].close('stop');
          }, atMs);
          const ends = Promise.all([simulation.hub.closed, simulation.device.closed]);
          await simulation.until(Promise.all([ends, ...writers, ...readers.map(({ received }) => received)]));
          expect(new Set((await ends).map(({ cause }) => cause))).toEqual(
            new Set(who === 'cut' ? ['lost'] : ['closed', 'peer']),
          );
          for (const { sent, received } of readers) {
            const whole = Buffer.concat(sent);
            const part = await received;
            expect(part.equals(whole.subarray(0, part.length))).toBe(true);
          }
        },
      ),
      runs,
    );
  });
});

test('[FR2] [FR3] [CL4] after any messages a connection is open or has ended with a reason', async () => {
  const message = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc
      .tuple(
        fc.constantFrom(0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x17, 0x20, 0x21, 0xff),
        fc.array(fc.nat({ max: 2 }), { maxLength: 30 }),
      )
      .map(([tag, rest]) => Uint8Array.of(tag, 0, 0, 0, 0, 0, 0, 0, ...rest)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 30 }), async (messages) => {
      const scheduler = new MemoryScheduler(settle);
      const [near, far] = MemoryTransport.pair({ scheduler, delayMs: () => 0 });
      const connection = new MultiplexConnection({
        transport: near,
        now: () => scheduler.nowMs,
        onChannelRequest: (request) => void request.accept(),
      });
      void connection.openChannel('x').catch(() => undefined);
      for (const bytes of messages) far.send(bytes);
      await scheduler.advance(1);
      expect([undefined, 'violation', 'peer']).toContain(connection.end?.cause);
    }),
    { numRuns: frameSequences },
  );
});
