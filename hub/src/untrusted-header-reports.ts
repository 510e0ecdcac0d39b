import type { Executor } from './executor/executor.ts';

/** Puts attempts to pass a certificate by a header that is not believed into the audit log. */
export interface UntrustedHeaderReports {
  /** Takes note of an attempt; at most one row a minute is written, which counts those before it that had none. */
  report(remoteAddress: string | undefined): void;
}

interface ReportParts {
  readonly executor: Executor;
  readonly log: { warn(fields: object, message: string): void };
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
}

const everyMs = 60_000;
const caller = { actor: { actor: 'System', kind: 'System' }, origin: {} } as const;

/** Builds the reports of one door; a flood of attempts cannot fill the audit log. */
export function untrustedHeaderReports({ executor, log, nowMs }: ReportParts): UntrustedHeaderReports {
  let nextAtMs = -Infinity;
  let attempts = 0;
  return {
    report(remoteAddress = 'unknown') {
      attempts += 1;
      if (nowMs() < nextAtMs) return;
      nextAtMs = nowMs() + everyMs;
      const input = { remoteAddress, attempts };
      attempts = 0;
      log.warn(input, 'a certificate header came from where it is not believed');
      executor
        .invoke(caller, 'cluster_ReportUntrustedCertificateHeader', input)
        .catch((error: unknown) => log.warn({ err: error }, 'the attempt could not be recorded'));
    },
  };
}
