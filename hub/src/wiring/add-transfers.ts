import type { Storages } from '../domains/assets/storage/storages.ts';
import type { HttpServer } from '../entry/http/http-server.ts';
import type { Metrics } from '../entry/http/metrics.ts';
import type { Log } from '../platform/log/log.ts';
import { createTransfers } from '../entry/transfers/transfers.ts';
import { repeat } from '../platform/concurrency/repeat.ts';
import type { Core } from './core.ts';

interface TransfersParts {
  readonly log: Log;
  readonly now: () => Date;
  readonly core: Core;
  readonly metrics: Metrics;
  readonly http: HttpServer;
  readonly storages: Storages;
}

const recordEveryMs = 60_000;

/** The running transfers. */
export interface AddedTransfers {
  /** Ends all transfers; their clients may go on at another hub or later. */
  stop(): void;
  /** Records what was sent, when all have ended. */
  finish(): Promise<void>;
}

/** Builds the transfers of assets, connects them with the HTTP server, registers their gauges, and records each minute what they sent. */
export function addTransfers({ log, now, core, metrics, http, storages }: TransfersParts): AddedTransfers {
  const transfers = createTransfers({
    executor: core.executor,
    storages,
    addressOf: (request) => http.addressOf(request),
    nowMs: () => performance.now(),
    now,
    log,
  });
  http.serveTransfers(transfers);
  metrics.addGauge('corral_uploads', () => transfers.counts.uploads);
  metrics.addGauge('corral_downloads', () => transfers.counts.downloads);
  const stopRecording = repeat(() => transfers.recordServed(), recordEveryMs, log);
  return {
    stop: () => transfers.stop(),
    async finish() {
      await stopRecording();
      await transfers
        .recordServed()
        .catch((error: unknown) => log.warn({ err: error }, 'what was served last could not be recorded'));
    },
  };
}
