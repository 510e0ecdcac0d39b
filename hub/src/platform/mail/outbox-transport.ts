import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { MailTransport } from './email.ts';
import { messageOf } from './message.ts';

interface OutboxOptions {
  /** Created with the first e-mail, readable by the hub's user only. */
  readonly folder: string;
  readonly from: string;
  readonly log: {
    info(
      fields: { readonly kind: string; readonly folder: string; readonly url: string },
      message: string,
    ): void;
  };
}

/** A transport that writes each e-mail to an .eml file, and logs the path and the link of the e-mail. */
export function outboxTransport({ folder, from, log }: OutboxOptions): MailTransport {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    acceptedMessage: (to) =>
      `No mail server is set: the e-mail to ${to} was written to the folder outbox of the data folder.`,
    async send(email) {
      const { message } = await transport.sendMail(messageOf(email, from));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `${email.mailId}.eml`);
      await writeAtomically(file, message as Buffer);
      log.info({ kind: email.kind, folder: file, url: email.link }, 'e-mail written to the outbox folder');
      return 'NotMailed';
    },
  };
}

/** Writes and syncs a temporary file, then renames it, so that readers never see a partial file and a logged file survives a crash. */
async function writeAtomically(file: string, bytes: Buffer): Promise<void> {
  const unfinished = `${file}.part`;
  const handle = await open(unfinished, 'w', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
}
