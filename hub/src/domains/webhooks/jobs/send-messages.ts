import { type InternalRunner, systemCaller } from '../../../calls/handler.ts';
import { coalesceRuns } from '../../../platform/concurrency/coalesce-runs.ts';
import { repeat } from '../../../platform/concurrency/repeat.ts';
import type { LogFields } from '../../../platform/log/log-fields.ts';
import type { Outgoing } from '../../../platform/outgoing/open-outgoing.ts';
import { OutgoingError } from '../../../platform/outgoing/OutgoingError.ts';
import { type Outcome, RecordAttempt } from '../internal/RecordAttempt.ts';
import { type OutgoingMessage, TakeDueMessages } from '../internal/TakeDueMessages.ts';

interface SenderParts {
  readonly executor: InternalRunner;
  /** Closed with the sender. */
  readonly outgoing: Outgoing;
  readonly log: { warn(fields: LogFields, message: string): void };
}

/** Sends the messages of webhooks. */
interface WebhookSender {
  /** Sends what is due now. */
  sendDue(): Promise<void>;
  stop(): Promise<void>;
}

const tickMs = 1_000;

/** Sends the messages of webhooks that are due, each second; what one node has taken, the others leave for a minute. A receiver that is slow keeps no other waiting. */
export function startWebhooks({ executor, outgoing, log }: SenderParts): WebhookSender {
  let isStopped = false;
  const sending = new Map<string, Promise<unknown>>();
  const sendAll = async (messages: readonly OutgoingMessage[]): Promise<void> => {
    await Promise.all(
      messages.map(async (message) => {
        const outcome = await send(outgoing, message);
        // Otherwise it is sent again, with the same id.
        await executor
          .run(systemCaller, RecordAttempt, outcome)
          .catch((error: unknown) =>
            log.warn({ err: error }, 'the outcome of a message of a webhook is not recorded'),
          );
      }),
    );
  };
  const tick = coalesceRuns(async () => {
    if (isStopped) return;
    try {
      const taken = await executor.run(systemCaller, TakeDueMessages, { busy: [...sending.keys()] });
      for (const [webhookId, messages] of Map.groupBy(taken, (message) => message.webhookId))
        sending.set(
          webhookId,
          sendAll(messages).then(() => {
            sending.delete(webhookId);
            void tick();
          }),
        );
    } catch (error) {
      log.warn({ err: error }, 'messages of webhooks could not be taken and are tried again');
    }
  });
  const stopTicks = repeat(tick, tickMs, log);
  return {
    async sendDue() {
      await tick();
      await Promise.all(sending.values());
    },
    async stop() {
      isStopped = true;
      await stopTicks();
      await Promise.all(sending.values());
      await outgoing.close();
    },
  };
}

async function send(outgoing: SenderParts['outgoing'], message: OutgoingMessage): Promise<Outcome> {
  const { webhookId, messageId, attempts, url, body, headers } = message;
  const of = { webhookId, messageId, attempts };
  const beganMs = performance.now();
  const durationMs = () => Math.round(performance.now() - beganMs);
  try {
    const { status, headers: answered } = await outgoing.fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Corral-Webhooks/1.0' },
      body,
    });
    const outcome = { ...of, durationMs: durationMs(), httpStatus: status };
    if (status >= 200 && status < 300) return outcome;
    return {
      ...outcome,
      error: `${new URL(url).host} answered with the status ${status}.`,
      retryAfterSecs: retryAfterOf(answered),
    };
  } catch (error) {
    const isKnown = error instanceof OutgoingError;
    return {
      ...of,
      durationMs: durationMs(),
      error: isKnown ? error.message : 'The message could not be sent.',
    };
  }
}

/** In seconds; a date is not taken, since it is by the clock of the receiver. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after') ?? '';
  return /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
