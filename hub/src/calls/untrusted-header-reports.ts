import type { LogFields } from '../platform/log/log-fields.ts';
import type { Executor } from './executor.ts';
import { type Internal, systemCaller } from './handler.ts';

/** Changes nothing; it runs for its row in the audit log. */
const ReportUntrustedCertificateHeader: Internal<
  { readonly remoteAddress: string; readonly attempts: number },
  void
> = { name: 'cluster_ReportUntrustedCertificateHeader', isRecorded: true, run: async () => {} };

/** Records in the audit log that an untrusted address sent a certificate header. */
export interface UntrustedHeaderReports {
  /** Counts an attempt. At most one row a minute is written, with the number of attempts since the last one. */
  report(remoteAddress: string | undefined): void;
}

interface ReportParts {
  readonly executor: Executor;
  readonly log: { warn(fields: LogFields, message: string): void };
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
}

const minIntervalMs = 60_000;

/** Creates the reports of one server, at a bounded rate, so that attempts cannot flood the audit log. */
export function untrustedHeaderReports({ executor, log, nowMs }: ReportParts): UntrustedHeaderReports {
  let nextAtMs = -Infinity;
  let attempts = 0;
  return {
    report(remoteAddress = 'unknown') {
      attempts += 1;
      if (nowMs() < nextAtMs) return;
      nextAtMs = nowMs() + minIntervalMs;
      const input = { remoteAddress, attempts };
      attempts = 0;
      log.warn(
        { ip: remoteAddress, count: input.attempts },
        'a certificate header came from an untrusted address',
      );
      executor
        .run(systemCaller, ReportUntrustedCertificateHeader, input)
        .catch((error: unknown) => log.warn({ err: error }, 'the attempt could not be recorded'));
    },
  };
}
