import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Post } from './letter.ts';
import { messageOf } from './message.ts';

interface OutboxFolder {
  /** Made when the first letter comes, for the hub's user alone. */
  readonly folder: string;
  readonly from: string;
  readonly log: { info(fields: object, message: string): void };
}

/** A post that sends nothing: each letter becomes an .eml file, and the log says where it is and where it leads. */
export function outboxFolder({ folder, from, log }: OutboxFolder): Post {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  return {
    async send(letter) {
      const { message } = await transport.sendMail(messageOf(letter, from));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = join(folder, `${letter.mailId}.eml`);
      await writeWhole(file, message as Buffer);
      log.info({ kind: letter.kind, folder: file, url: letter.link }, 'an e-mail was put into the outbox');
      return 'Sent';
    },
  };
}

/** Nobody finds half a letter, and none that was announced is lost. */
async function writeWhole(file: string, bytes: Buffer): Promise<void> {
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
