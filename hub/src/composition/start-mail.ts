import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { startMailDispatcher, type MailDispatcher } from '../events/listeners/MailDispatcher.ts';
import { outboxTransport } from '../mail/outbox-transport.ts';
import { smtpTransport } from '../mail/smtp-transport.ts';
import type { Log } from '../log/log.ts';
import type { Core } from './core.ts';

/** Starts sending queued e-mails, by SMTP or into a folder. Links lead to `publicUrl`, which is known once the hub listens. */
export function startMail(
  { smtpUrl, mailFrom, dataDir }: Config,
  log: Log,
  { executor, bus }: Core,
  publicUrl: string,
): MailDispatcher {
  const transport =
    smtpUrl === undefined
      ? outboxTransport({ folder: join(dataDir, 'outbox'), from: mailFrom, log })
      : smtpTransport({ url: smtpUrl, from: mailFrom });
  return startMailDispatcher({ executor, bus, transport, publicUrl, log });
}
