import type { Executor } from '../../../calls/executor.ts';
import { systemCaller } from '../../../calls/handler.ts';
import { repeat } from '../../../platform/concurrency/repeat.ts';
import type { LogFields } from '../../../platform/log/log-fields.ts';
import { DeleteOldTerminals } from '../internal/DeleteOldTerminals.ts';
import { EndLostTerminals } from '../internal/EndLostTerminals.ts';

const endEveryMs = 5_000;
const deleteEveryMs = 60_000;

interface TickParts {
  readonly executor: Executor;
  readonly log: { warn(fields: LogFields, message: string): void };
}

/** Ends terminals that nobody serves or waits for any more, and deletes those of more than 90 days ago; each node does so. */
export function startTerminalTicks({ executor, log }: TickParts): { stop(): Promise<void> } {
  const stops = [
    repeat(() => executor.run(systemCaller, EndLostTerminals), endEveryMs, log),
    repeat(() => executor.run(systemCaller, DeleteOldTerminals), deleteEveryMs, log),
  ];
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}
