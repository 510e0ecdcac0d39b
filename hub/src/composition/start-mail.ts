import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { sendMails } from '../events/listeners/send-mails.ts';
import { outboxFolder } from '../mail/outbox-folder.ts';
import { smtpServer } from '../mail/smtp-server.ts';
import type { Log } from '../log/log.ts';
import type { Core } from './core.ts';

/** Starts sending queued e-mails, by SMTP or into a folder. Links lead to `publicUrl`, which is known once the hub listens. */
export function startMail(
  { smtpUrl, mailFrom, dataDir }: Config,
  log: Log,
  { executor, bus }: Core,
  publicUrl: string,
): ReturnType<typeof sendMails> {
  const post =
    smtpUrl === undefined
      ? outboxFolder({ folder: join(dataDir, 'outbox'), from: mailFrom, log })
      : smtpServer({ url: smtpUrl, from: mailFrom });
  return sendMails({ executor, bus, post, publicUrl, log });
}
