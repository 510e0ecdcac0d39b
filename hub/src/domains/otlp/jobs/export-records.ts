import { type InternalRunner, systemCaller } from '../../../calls/handler.ts';
import { coalesceRuns } from '../../../platform/concurrency/coalesce-runs.ts';
import { repeat } from '../../../platform/concurrency/repeat.ts';
import type { LogFields } from '../../../platform/log/log-fields.ts';
import type { Outgoing } from '../../../platform/outgoing/open-outgoing.ts';
import { TakeDueStreams } from '../internal/TakeDueStreams.ts';
import { exportStream } from './export-stream.ts';

interface ExporterParts {
  readonly executor: InternalRunner;
  /** Closed with the exporter. */
  readonly outgoing: Outgoing;
  readonly log: { warn(fields: LogFields, message: string): void };
}

/** Exports records of projects over OTLP. */
interface RecordExporter {
  /** Exports what waits now. */
  exportDue(): Promise<void>;
  stop(): Promise<void>;
}

const tickMs = 1_000;
/** As many streams as the hub has requests at a time to all servers. */
const mostStreams = 32;

/** Exports what projects export over OTLP, each second; what one node has taken, the others leave until it is done or says nothing for a minute. A collector that is slow keeps no other waiting. */
export function startOtlpExports({ executor, outgoing, log }: ExporterParts): RecordExporter {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const tick = coalesceRuns(async () => {
    const most = mostStreams - running.size;
    if (stopping.signal.aborted || most <= 0) return;
    try {
      for (const task of await executor.run(systemCaller, TakeDueStreams, { most })) {
        const run: Promise<void> = exportStream({ executor, outgoing, stopping: stopping.signal }, task)
          .catch((error: unknown) =>
            log.warn({ err: error }, 'an export over OTLP broke off and goes on in a minute'),
          )
          .finally(() => running.delete(run));
        running.add(run);
      }
    } catch (error) {
      log.warn({ err: error }, 'streams could not be exported over OTLP and are tried again');
    }
  });
  const stopTicks = repeat(tick, tickMs, log);
  return {
    async exportDue() {
      await tick();
      await Promise.all(running);
    },
    async stop() {
      stopping.abort();
      await stopTicks();
      await Promise.all(running);
      await outgoing.close();
    },
  };
}
