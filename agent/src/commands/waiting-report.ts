import type { RetryWait } from '@corral/client';
import type { ErrorReason } from '@corral/contract';
import type { Log } from '../log.ts';

const certificatePending: ErrorReason['kind'] = 'CertificatePending';
/** A certificate may wait for an operator for days, while the agent tries twice a minute. */
const pendingEveryMs = 60 * 60_000;

/** Logs why the agent waits, at every attempt; a pending certificate with its fingerprint at the first and then once an hour. */
export function waitingReport(
  certificateFingerprint: () => string,
  log: Pick<Log, 'warn'>,
  nowMs: () => number = () => performance.now(),
): (waiting: RetryWait) => void {
  let pendingReportedAtMs = -Infinity;
  return (waiting) => {
    if (waiting.failure === certificatePending) {
      if (nowMs() - pendingReportedAtMs < pendingEveryMs) return;
      pendingReportedAtMs = nowMs();
      log.warn(
        `certificate pending: ask an operator to accept it, after comparing ${certificateFingerprint()}`,
      );
      return;
    }
    pendingReportedAtMs = -Infinity;
    const delaySecs = Math.max(1, Math.round(waiting.delayMs / 1_000));
    // A hub gives its reason as a sentence.
    const reason = waiting.reason.replace(/^The /, 'the ');
    log.warn(`waiting ${delaySecs} s before trying again, because ${reason}`);
  };
}
