import type { Actor } from '@corral/contract';
import type { Executor } from '../../executor/executor.ts';
import type { Post } from '../../mail/letter.ts';
import { writeLetter, type TakenMail } from '../../mail/write-letter.ts';
import type { EventBus } from '../bus.ts';

interface CourierParts {
  readonly executor: Executor;
  readonly bus: EventBus;
  readonly post: Post;
  /** The origin that links begin with. */
  readonly publicUrl: string;
  readonly log: Record<'info' | 'warn' | 'error', (fields: object, message: string) => void>;
  /** How often to look for e-mails whose next attempt has come, or that another process left behind. */
  readonly lookEveryMs?: number;
}

/** Brings out the e-mails that actions have queued. */
export interface Courier {
  /** Sends what is due; ends when there is nothing more to do now. */
  wake(): Promise<void>;
  /** Ends after the e-mail under way, or five seconds: one that is cut off then is sent again later. */
  stop(): Promise<void>;
}

type Outcome = 'Sent' | 'Failed' | 'Refused';

const caller = { actor: { actor: 'System', kind: 'System' } satisfies Actor, origin: {} } as const;
const stopWithinMs = 5_000;

/** Starts the courier: it sets out when an e-mail has been queued, and again and again for those that failed. */
export function sendMails(parts: CourierParts): Courier {
  let isStopped = false;
  let isCalledAgain = false;
  let underWay: Promise<void> | undefined;

  const rounds = async (): Promise<void> => {
    do {
      isCalledAgain = false;
      await round(parts, () => isStopped);
    } while (isCalledAgain && !isStopped);
  };
  const wake = (): Promise<void> => {
    isCalledAgain = true;
    underWay ??= rounds().finally(() => (underWay = undefined));
    return underWay;
  };
  // The bus is not kept waiting for a mail server.
  const unsubscribe = parts.bus.subscribe(
    ({ name }) => void (name === 'mail_Queued' && !isStopped && wake()),
  );
  const timer = setInterval(() => void wake(), parts.lookEveryMs ?? 10_000);
  return {
    wake,
    async stop() {
      isStopped = true;
      unsubscribe();
      clearInterval(timer);
      await within(stopWithinMs, underWay);
    },
  };
}

async function within(limitMs: number, work: Promise<void> | undefined): Promise<void> {
  const limit = Promise.withResolvers<void>();
  const timer = setTimeout(limit.resolve, limitMs);
  await Promise.race([work, limit.promise]);
  clearTimeout(timer);
}

/** Sends one e-mail after the other. One that fails ends the round: the others would most likely fail as well. */
async function round(parts: CourierParts, isStopped: () => boolean): Promise<void> {
  try {
    let isGoingWell = true;
    while (isGoingWell && !isStopped()) {
      const taken = await parts.executor.invoke(caller, 'mail_TakeDueMail', {});
      if (taken.result === 'None') return;
      isGoingWell = (await deliver(parts, taken.mail)) !== 'Failed';
    }
  } catch (error) {
    parts.log.warn({ err: error }, 'e-mails cannot be looked after now');
  }
}

async function deliver(parts: CourierParts, mail: TakenMail): Promise<Outcome> {
  const { executor, post, publicUrl, log } = parts;
  const { mailId, kind } = mail;
  const outcome = await post.send(writeLetter(mail, publicUrl)).catch((error: unknown): Outcome => {
    log.warn({ err: error, kind }, 'an e-mail could not be sent');
    return 'Failed';
  });
  const { nextAttemptAt } = await executor.invoke(caller, 'mail_ReportMailOutcome', { mailId, outcome });
  if (outcome === 'Refused') log.warn({ kind }, 'an e-mail was refused by the mail server for its recipient');
  if (outcome === 'Failed' && nextAttemptAt === undefined)
    log.error({ kind }, 'an e-mail was given up after days of attempts');
  return outcome;
}
