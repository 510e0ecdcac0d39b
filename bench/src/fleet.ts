import type { FleetCommand } from './fleet-process.ts';
import { startProgram } from './processes.ts';

/** Many device connections spread over several processes, so that clients are not the bottleneck. */
export interface Fleet {
  /** The number of open connections. */
  readonly openCount: number;
  /** Resolves once this many connections are open, with the time (`Date.now()`) at which that was reported. */
  reached(count: number): Promise<number>;
  stop(): Promise<void>;
}

/** Starts the processes and waits until each connection has been open once. */
export async function startFleet(
  command: Omit<FleetCommand, 'fingerprints'>,
  fingerprints: readonly string[],
  processes: number,
): Promise<Fleet> {
  const size = Math.ceil(fingerprints.length / processes);
  const parts = Array.from({ length: processes }, (_, index) =>
    fingerprints.slice(index * size, (index + 1) * size),
  );
  const counts = parts.map(() => ({ open: 0, atMs: 0 }));
  const waiting = new Set<() => void>();
  const fleets = parts.map((part, index) => {
    const fleet = startProgram('bench/src/fleet-process.ts');
    fleet.onLine((line) => {
      const [, open, atMs] = /^open (\d+) at (\d+)$/.exec(line) ?? [];
      if (open === undefined) return;
      counts[index] = { open: Number(open), atMs: Number(atMs) };
      for (const check of waiting) check();
    });
    fleet.writeLine(JSON.stringify({ ...command, fingerprints: part }));
    return fleet;
  });
  await Promise.all(fleets.map((fleet) => fleet.waitForLine(/^connected (\d+)$/)));
  const openCount = (): number => counts.reduce((sum, { open }) => sum + open, 0);
  return {
    get openCount() {
      return openCount();
    },
    reached: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (openCount() < count) return;
          waiting.delete(check);
          resolve(Math.max(...counts.map(({ atMs }) => atMs)));
        };
        waiting.add(check);
        check();
      }),
    async stop() {
      await Promise.all(fleets.map((fleet) => fleet.stop()));
    },
  };
}
