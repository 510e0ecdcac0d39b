import { type InternalRunner, systemCaller } from '../../../calls/handler.ts';
import { repeat } from '../../../platform/concurrency/repeat.ts';
import type { LogFields } from '../../../platform/log/log-fields.ts';
import { MoveRotations } from '../internal/MoveRotations.ts';

/** Old certificates end within 5 s after their time of grace. */
const tickMs = 2_000;

interface TickParts {
  readonly executor: InternalRunner;
  readonly log: { warn(fields: LogFields, message: string): void };
}

/** Moves rotations of certificates on every two seconds; each node does so. */
export function startRotationTicks({ executor, log }: TickParts): { stop(): Promise<void> } {
  let isStopped = false;
  const stopTicks = repeat(
    async () => {
      while (!isStopped && (await executor.run(systemCaller, MoveRotations)).isMore);
    },
    tickMs,
    log,
  );
  return {
    async stop() {
      isStopped = true;
      await stopTicks();
    },
  };
}
