import type { Database } from '../platform/db/connect.ts';
import type { Metrics } from '../entry/http/metrics.ts';
import { countDamagedAssets } from '../domains/assets/index.ts';
import { findFailingJobs } from '../domains/instance/index.ts';
import { countWaitingMails } from '../domains/users/index.ts';

/** Registers the gauges about what is in the database. */
export function addSharedGauges(metrics: Metrics, db: Database): void {
  metrics.addSharedGauge('corral_damaged_assets', () => countDamagedAssets(db));
  metrics.addSharedGauge('corral_failing_jobs', () => findFailingJobs(db));
  metrics.addSharedGauge('corral_waiting_emails', () => countWaitingMails(db));
}
