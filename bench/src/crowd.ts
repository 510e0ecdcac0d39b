import type { FleetOrder } from './fleet.ts';
import { startProgram } from './processes.ts';

/** Many links over several processes, so that those who connect are not slower than who lets them in. */
export interface Crowd {
  /** How many links are open now. */
  readonly openCount: number;
  /** From when on the given number has been open, on the clock of `Date.now()`; fulfilled once it is. */
  reached(count: number): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the processes and answers once each of their links has been open. */
export async function startCrowd(
  order: Omit<FleetOrder, 'fingerprints'>,
  fingerprints: readonly string[],
  processes: number,
): Promise<Crowd> {
  const size = Math.ceil(fingerprints.length / processes);
  const parts = Array.from({ length: processes }, (_, index) =>
    fingerprints.slice(index * size, (index + 1) * size),
  );
  const counts = parts.map(() => ({ open: 0, atMs: 0 }));
  const watching = new Set<() => void>();
  const fleets = parts.map((part, index) => {
    const fleet = startProgram('bench/src/fleet.ts');
    fleet.onLine((line) => {
      const [, open, atMs] = /^open (\d+) at (\d+)$/.exec(line) ?? [];
      if (open === undefined) return;
      counts[index] = { open: Number(open), atMs: Number(atMs) };
      for (const look of watching) look();
    });
    fleet.tell(JSON.stringify({ ...order, fingerprints: part }));
    return fleet;
  });
  await Promise.all(fleets.map((fleet) => fleet.said(/^connected (\d+)$/)));
  const openCount = (): number => counts.reduce((sum, { open }) => sum + open, 0);
  return {
    get openCount() {
      return openCount();
    },
    reached: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (openCount() < count) return;
          watching.delete(look);
          resolve(Math.max(...counts.map(({ atMs }) => atMs)));
        };
        watching.add(look);
        look();
      }),
    async stop() {
      await Promise.all(fleets.map((fleet) => fleet.stop()));
    },
  };
}
