import type { Database } from '../db/connect.ts';
import type { Metrics } from '../http/metrics.ts';
import { countDamagedAssets } from '../store/asset-checks.ts';
import { findFailingJobs } from '../store/jobs.ts';
import { countWaitingMails } from '../store/mail-queue.ts';

/** Registers the gauges about what is in the database. */
export function addSharedGauges(metrics: Metrics, db: Database): void {
  metrics.addSharedGauge('corral_damaged_assets', () => countDamagedAssets(db));
  metrics.addSharedGauge('corral_failing_jobs', () => findFailingJobs(db));
  metrics.addSharedGauge('corral_waiting_emails', () => countWaitingMails(db));
}
