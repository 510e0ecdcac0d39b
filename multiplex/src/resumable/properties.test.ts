import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { ResumableSimulation, writeAll, type Network } from '../../test/resumable-simulation.ts';

const maxWriteBytes = 90_000;
const pool = Uint8Array.from(
  { length: 2 * maxWriteBytes },
  (_, index) => (index * 31 + (index >> 8) * 17) & 0xff,
);

interface Plan {
  /** The writes of one side, as slices of the pool. */
  readonly writes: readonly (readonly [sizeBytes: number, from: number])[];
  /** The delay between two reads of the other side. */
  readonly readDelayMs: number;
}

const side: fc.Arbitrary<Plan> = fc.record({
  writes: fc.array(
    fc.tuple(fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: maxWriteBytes })), fc.nat({ max: maxWriteBytes })),
    { maxLength: 14 },
  ),
  readDelayMs: fc.constantFrom(0, 0, 1, 30),
});

const bytesOf = ({ writes }: Plan): Uint8Array[] =>
  writes.map(([sizeBytes, from]) => pool.slice(from, from + sizeBytes));
const isWhole = (received: Buffer, plan: Plan): boolean => received.equals(Buffer.concat(bytesOf(plan)));

const network: fc.Arbitrary<Network> = fc.record({
  cuts: fc.array(fc.nat({ max: 60 }), { maxLength: 8 }),
  delayMs: fc.nat({ max: 40 }),
  parts: fc
    .array(fc.integer({ min: 1_000, max: 70_000 }), { minLength: 2, maxLength: 8 })
    .map((sizes) => [1, ...sizes]),
});

/** Both sides carry out their plans over connections that break; returns what each received. */
async function exchange(simulation: ResumableSimulation, out: Plan, back: Plan): Promise<[Buffer, Buffer]> {
  const { stream } = await simulation.until(simulation.open());
  const far = await simulation.until(
    (async () => {
      for (;;) {
        const [accepted] = simulation.accepted;
        if (accepted !== undefined) return accepted;
        await simulation.elapse(10);
      }
    })(),
  );
  void writeAll(stream, bytesOf(out));
  void writeAll(far, bytesOf(back));
  const received = Promise.all([
    simulation.read(far, out.readDelayMs),
    simulation.read(stream, back.readDelayMs),
  ]);
  const result = await simulation.until(received);
  await simulation.until(Promise.all([stream.closed, far.closed]));
  expect(stream.resetReason).toBeUndefined();
  // If the last acknowledgement to it was lost, the acceptor waits until it gives up, with all bytes received.
  expect([undefined, 'its other side did not come back']).toContain(far.resetReason);
  return result;
}

const { schedules } = inject('figures');

test('[RS1] [RS4] [RS5] whatever breaks and when, both directions arrive whole, in order and once, and no stream is left', async () => {
  await fc.assert(
    fc.asyncProperty(network, side, side, async (settings, out, back) => {
      const simulation = new ResumableSimulation(settings);
      const [far, near] = await exchange(simulation, out, back);
      expect([isWhole(far, out), isWhole(near, back)]).toEqual([true, true]);
      await simulation.scheduler.advance(100_000);
      expect(simulation.acceptor.count).toBe(0);
      expect(simulation.events.filter((event) => event === 'settled').length * 2).toBe(
        simulation.events.length,
      );
    }),
    { numRuns: schedules },
  );
});

test('[RS4] a break after each message of an exchange loses nothing', async () => {
  const plan: Plan = {
    writes: [
      [30_000, 0],
      [40, 100],
      [80_000, 5],
    ],
    readDelayMs: 0,
  };
  let isReached = true;
  for (let cutAfter = 1; isReached; cutAfter += 1) {
    const simulation = new ResumableSimulation({ cuts: [cutAfter, cutAfter] });
    const [far, near] = await exchange(simulation, plan, plan);
    expect([isWhole(far, plan), isWhole(near, plan)]).toEqual([true, true]);
    isReached = simulation.connectionCount > 1;
    if (!isReached) expect(cutAfter).toBeGreaterThan(20);
  }
});
