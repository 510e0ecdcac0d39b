import { join } from 'node:path';
import type { Vault } from '../../platform/vault/vault.ts';
import type { Config } from '../../config/config.ts';
import type { connectDatabase } from '../../platform/db/connect.ts';
import { mailServerMessage } from '../../platform/mail/send-test-mail.ts';
import { checkSmtpServer } from '../../platform/mail/smtp-transport.ts';
import { readSecretSetting } from '../../domains/instance/index.ts';
import { checkOf, type Finding } from './finding.ts';

const { right, wrong, unchecked } = checkOf('Mail');

/** Whether the mail server accepts the connection and the credentials; no mail is sent. */
export async function checkMail(
  config: Config,
  db: ReturnType<typeof connectDatabase> | undefined,
  vault: Vault | undefined,
): Promise<Finding[]> {
  const canRead = db !== undefined && vault !== undefined;
  const url = config.smtpUrl ?? (canRead ? await readSecretSetting(db, vault, 'smtpUrl') : undefined);
  if (url === undefined && !canRead)
    return [unchecked('The settings in the database, where a mail server may be set, were not read.')];
  if (url === undefined)
    return config.peers === undefined
      ? [right(`No mail server is set: e-mails are written to ${join(config.dataDir, 'outbox')}.`)]
      : [
          wrong(
            'No mail server is set, and the hubs of a cluster share no folder: e-mails wait until CORRAL_SMTP_URL is set.',
          ),
        ];
  try {
    await checkSmtpServer(url);
    return [right(`${new URL(url).host} can be used. Administration, Settings sends a test e-mail.`)];
  } catch (error) {
    return [
      wrong(
        `CORRAL_SMTP_URL, or the mail server under Administration, Settings: ${mailServerMessage(error)}`,
      ),
    ];
  }
}
