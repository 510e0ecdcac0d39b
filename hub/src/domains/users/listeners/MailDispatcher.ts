import type { Executor } from '../../../calls/executor.ts';
import { systemCaller } from '../../../calls/handler.ts';
import { coalesceRuns } from '../../../platform/concurrency/coalesce-runs.ts';
import type { EventBus } from '../../../platform/events/bus.ts';
import type { LogFields } from '../../../platform/log/log-fields.ts';
import type { MailTransport, SendingResult } from '../../../platform/mail/email.ts';
import { renderEmail, type TakenMail } from '../../../platform/mail/render-email.ts';
import { isAboutOneMail } from '../../../platform/mail/smtp-transport.ts';
import { ReportMailOutcome } from '../internal/ReportMailOutcome.ts';
import { TakeDueMail } from '../internal/TakeDueMail.ts';

interface DispatcherParts {
  readonly executor: Executor;
  readonly bus: EventBus;
  readonly transport: Pick<MailTransport, 'send'>;
  /** The origin of links. */
  readonly publicUrl: string;
  readonly log: Record<'info' | 'warn' | 'error', (fields: LogFields, message: string) => void>;
  /** How often to check for due retries and for e-mails that another process did not finish. */
  readonly pollIntervalMs?: number;
}

/** Sends the e-mails that actions have queued. */
export interface MailDispatcher {
  /** Sends all due e-mails. */
  sendDue(): Promise<void>;
  /** Stops after the current e-mail or five seconds. An e-mail that is interrupted is sent again later. */
  stop(): Promise<void>;
}

type Outcome = SendingResult | 'Failed';

const stopTimeoutMs = 5_000;

/** Starts the dispatcher. It sends when an e-mail is queued, and polls for retries. */
export function startMailDispatcher(parts: DispatcherParts): MailDispatcher {
  let isStopped = false;
  let current: Promise<void> | undefined;
  const run = coalesceRuns(async () => {
    if (!isStopped) await sendAllDue(parts, () => isStopped);
  });
  const sendDue = (): Promise<void> => (current = run());
  // Not awaited, so that a slow mail server does not delay the bus.
  const unsubscribe = parts.bus.subscribeToOwn(
    ({ name }) => void (name === 'mail_Queued' && !isStopped && sendDue()),
  );
  const timer = setInterval(() => void sendDue(), parts.pollIntervalMs ?? 10_000);
  return {
    sendDue,
    async stop() {
      isStopped = true;
      unsubscribe();
      clearInterval(timer);
      await waitAtMost(stopTimeoutMs, current);
    },
  };
}

async function waitAtMost(limitMs: number, work: Promise<void> | undefined): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, limitMs);
  await Promise.race([work, limit.promise]);
  clearTimeout(timer);
}

/** Sends one e-mail after the other. It stops at the first failure of the server, since the others would fail as well. */
async function sendAllDue(parts: DispatcherParts, isStopped: () => boolean): Promise<void> {
  try {
    let canSend = true;
    while (canSend && !isStopped()) {
      const taken = await parts.executor.run(systemCaller, TakeDueMail);
      if (taken === undefined) return;
      canSend = await send(parts, taken);
    }
  } catch (error) {
    parts.log.warn({ err: error }, 'queued e-mails could not be processed');
  }
}

/** Resolves with whether the server may take other e-mails now. */
async function send(parts: DispatcherParts, mail: TakenMail): Promise<boolean> {
  const { executor, transport, publicUrl, log } = parts;
  const { mailId, kind } = mail;
  let err: unknown;
  const outcome = await transport.send(renderEmail(mail, publicUrl)).catch((error: unknown): Outcome => {
    err = error;
    return 'Failed';
  });
  const { nextAttemptAt } = await executor.run(systemCaller, ReportMailOutcome, {
    mailId,
    outcome,
  });
  if (outcome === 'Refused') log.warn({ kind }, 'the mail server refused the recipient of an e-mail');
  if (outcome === 'Failed' && nextAttemptAt === undefined)
    log.error({ err, kind }, 'an e-mail was discarded after three days of failed attempts');
  else if (outcome === 'Failed')
    log.warn({ err, kind, nextAttemptAt }, 'an e-mail could not be sent, and is tried again');
  return outcome !== 'Failed' || isAboutOneMail(err);
}
