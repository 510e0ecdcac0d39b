import { coalesceRuns } from '../concurrency/coalesce-runs.ts';
import type { EventBus } from '../events/bus.ts';
import type { Executor } from '../executor/executor.ts';
import { deleteMarkedAssets } from './collect-assets.ts';

interface CollectorNeeds {
  readonly executor: Executor;
  readonly bus: EventBus;
  readonly log: { warn(fields: object, message: string): void };
}

/** Deletes the bytes of what people delete soon after they did, instead of at the next run of the job. */
export interface AssetCollector {
  /** Stops after the current asset. */
  stop(): Promise<void>;
}

const deletions = new Set<string>(['repositories_AssetDeleted', 'repositories_Deleted']);

/** Starts the collector. What fails here is left to the job, which reports it. */
export function startAssetCollector({ executor, bus, log }: CollectorNeeds): AssetCollector {
  let isStopped = false;
  let current: Promise<void> = Promise.resolve();
  const run = coalesceRuns(async () => {
    await deleteMarkedAssets(executor, () => isStopped).catch((error: unknown) =>
      log.warn({ err: error }, 'deleted assets still have bytes; the job tries again'),
    );
  });
  const unsubscribe = bus.subscribe(({ name }) => {
    if (!isStopped && deletions.has(name)) current = run();
  });
  return {
    async stop() {
      isStopped = true;
      unsubscribe();
      await current;
    },
  };
}
