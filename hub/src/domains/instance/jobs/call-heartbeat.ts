import { type InternalRunner, systemCaller } from '../../../calls/handler.ts';
import type { ScheduledJob } from '../../../platform/jobs/start-jobs.ts';
import type { Outgoing } from '../../../platform/outgoing/open-outgoing.ts';
import { HasWaitingEvents } from '../internal/HasWaitingEvents.ts';

interface HeartbeatParts {
  readonly executor: InternalRunner;
  readonly outgoing: Pick<Outgoing, 'fetch'>;
  /** Undefined: none is called. */
  readonly url: () => string | undefined;
}

/**
 * Calls an address outside each minute, so that something else notices when the hub is down. It is a job: who calls has a database and a queue that work, and one node
 * of the cluster does it. A call that fails is a job that fails, which administrators see with the time of the last one that did not.
 */
export function heartbeatJob(parts: HeartbeatParts): ScheduledJob {
  return {
    name: 'call-heartbeat',
    cron: '* * * * *',
    run: () => callHeartbeat(parts),
    longestSecs: 60,
    keepSecs: 3600,
  };
}

/** Calls it, if the hub is healthy. Rejects with an Error with one sentence, without the path, which may be a secret. */
export async function callHeartbeat({ executor, outgoing, url }: HeartbeatParts): Promise<void> {
  const target = url();
  if (target === undefined) return;
  if (await executor.run(systemCaller, HasWaitingEvents))
    throw new Error('Events have waited for more than a minute, so the heartbeat was not called.');
  const { status } = await outgoing.fetch(target, { headers: { 'user-agent': 'Corral-Heartbeat/1.0' } });
  if (status < 200 || status >= 300)
    throw new Error(`${new URL(target).host} answered the heartbeat with the status ${status}.`);
}
