import { coalesceRuns } from '../concurrency/coalesce-runs.ts';
import type { EventBus } from '../events/bus.ts';
import type { LogFields } from '../log/log-fields.ts';

/** The dependencies of work after events. */
export interface WorkParts {
  readonly bus: EventBus;
  readonly log: { warn(fields: LogFields, message: string): void };
}

/** Work that follows events on this node, besides the job that does the same from time to time. */
export interface WorkAfterEvents {
  /** Starts nothing more and waits for what runs. */
  stop(): Promise<void>;
}

/** What is done after which events. */
interface Work {
  readonly events: ReadonlySet<string>;
  readonly run: () => Promise<void>;
  /** What the log says when it fails; the job tries again and reports it. */
  readonly failed: string;
}

/** Starts the work soon after each of the events, once for those that come while it runs. */
export function startWorkAfterEvents({ bus, log }: WorkParts, work: Work): WorkAfterEvents {
  let isStopped = false;
  let current: Promise<void> = Promise.resolve();
  const run = coalesceRuns(async () => {
    await work.run().catch((error: unknown) => log.warn({ err: error }, work.failed));
  });
  const unsubscribe = bus.subscribeToOwn(({ name }) => {
    if (!isStopped && work.events.has(name)) current = run();
  });
  return {
    async stop() {
      isStopped = true;
      unsubscribe();
      await current;
    },
  };
}
