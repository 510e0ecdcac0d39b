import type { CallInput, Output } from '@corral/contract';
import { createInProcessBus } from '../src/platform/events/bus.ts';
import { startMailDispatcher, type MailDispatcher } from '../src/domains/users/listeners/MailDispatcher.ts';
import { createLog } from '../src/platform/log/log.ts';
import type { MailTransport } from '../src/platform/mail/email.ts';
import { smtpTransport } from '../src/platform/mail/smtp-transport.ts';
import { anonymous, freshExecutor, type FreshExecutor, type FreshExecutorOptions } from './fresh-executor.ts';
import { validPassword } from './test-users.ts';
import { smtpInbox, type SmtpInbox } from './smtp-inbox.ts';

/** A real executor whose e-mails go to a real SMTP server, or to another transport. */
export interface MailHub extends FreshExecutor {
  readonly inbox: SmtpInbox;
  readonly mail: MailDispatcher;
  readonly logged: () => string;
  /** Submits the sign-up form anonymously, by default from a new address each time. */
  register(
    email: string,
    more?: Partial<CallInput<'users_RegisterUser'>> & { ip?: string },
  ): Promise<Output<'users_RegisterUser'>>;
  complete(activationToken: string): Promise<Output<'users_CompleteRegistration'>>;
}

interface MailHubOptions extends Pick<FreshExecutorOptions, 'registration'> {
  readonly transport?: (log: ReturnType<typeof createLog>) => MailTransport;
}

/** The origin of the links in these e-mails. */
const publicUrl = 'https://hub.example';

/** Builds the hub with a dispatcher that does not poll: retries happen only when a test calls `sendDue`. */
export async function mailHub(options: MailHubOptions = {}): Promise<MailHub> {
  const lines: string[] = [];
  const destination = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream;
  const log = createLog({ level: 'debug', format: 'json', destination });
  const bus = createInProcessBus((error) => log.error({ err: error }, 'a listener failed'));
  const inbox = await smtpInbox();
  const hub = await freshExecutor({
    ...options,
    afterCommit: (emittedEvents) => void bus.publish(emittedEvents.map(({ event }) => event)),
  });
  const transport =
    options.transport?.(log) ?? smtpTransport({ url: inbox.url, from: 'Corral <no-reply@hub.example>' });
  const mail = startMailDispatcher({
    executor: hub.executor,
    bus,
    transport,
    publicUrl,
    log,
    pollIntervalMs: 2 ** 30,
  });
  let visitors = 0;
  return {
    ...hub,
    inbox,
    mail,
    logged: () => lines.join(''),
    register(email, { ip = `198.51.${(visitors += 1) >> 8}.${visitors & 255}`, ...more } = {}) {
      const form = { email, displayName: 'Somebody New', password: validPassword, consentedToTerms: true };
      return hub.as(anonymous, 'users_RegisterUser', { ...form, ...more }, { ip });
    },
    complete: (activationToken) => hub.as(anonymous, 'users_CompleteRegistration', { activationToken }),
    async [Symbol.asyncDispose]() {
      await mail.stop();
      await inbox[Symbol.asyncDispose]();
      await hub[Symbol.asyncDispose]();
    },
  };
}
