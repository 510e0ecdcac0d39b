import type { Storages } from '../domains/assets/storage/storages.ts';
import type { HttpServer } from '../entry/http/http-server.ts';
import type { Metrics } from '../entry/http/metrics.ts';
import type { Log } from '../platform/log/log.ts';
import { createTransfers, type Transfers } from '../entry/transfers/transfers.ts';
import type { Core } from './core.ts';

interface TransfersParts {
  readonly log: Log;
  readonly now: () => Date;
  readonly core: Core;
  readonly metrics: Metrics;
  readonly http: HttpServer;
  readonly storages: Storages;
}

/** Builds the transfers of assets, connects them with the HTTP server and registers their gauges. */
export function addTransfers({ log, now, core, metrics, http, storages }: TransfersParts): Transfers {
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
  return transfers;
}
