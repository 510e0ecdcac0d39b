import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { startMailDispatcher, type MailDispatcher } from '../domains/users/listeners/MailDispatcher.ts';
import type { Email, MailTransport } from '../platform/mail/email.ts';
import { missingTransport } from '../platform/mail/missing-transport.ts';
import { outboxTransport } from '../platform/mail/outbox-transport.ts';
import { smtpTransport } from '../platform/mail/smtp-transport.ts';
import type { Log } from '../platform/log/log.ts';
import type { Core } from './core.ts';
import type { LiveSettings } from './instance-values.ts';

/** The transport of the current settings: SMTP, or without a mail server the outbox folder, which a cluster does not have. */
export function currentTransport(
  { dataDir, peers }: Pick<Config, 'dataDir' | 'peers'>,
  settings: LiveSettings,
  log: Log,
): () => MailTransport {
  let cached: { readonly key: string; readonly transport: MailTransport } | undefined;
  return () => {
    const { smtpUrl: url, mailFrom: from } = settings.current();
    const key = JSON.stringify([url, from]);
    if (cached?.key !== key) {
      const folder = join(dataDir, 'outbox');
      const withoutServer = (): MailTransport =>
        peers === undefined ? outboxTransport({ folder, from, log }) : missingTransport;
      cached = { key, transport: url === undefined ? withoutServer() : smtpTransport({ url, from }) };
    }
    return cached.transport;
  };
}

/** Starts sending queued e-mails. Links lead to `publicUrl`, which is known once the hub listens. */
export function startMail(
  transport: () => MailTransport,
  log: Log,
  { executor, bus }: Core,
  publicUrl: string,
): MailDispatcher {
  const currentSettings = { send: (email: Email) => transport().send(email) };
  return startMailDispatcher({ executor, bus, transport: currentSettings, publicUrl, log });
}
