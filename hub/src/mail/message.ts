import type { SendMailOptions } from 'nodemailer';
import type { Letter } from './letter.ts';

/** The address inside a sender such as `Corral <corral@hub.example>`. */
function addressOf(sender: string): string {
  return /<([^<>]+)>$/.exec(sender)?.[1] ?? sender;
}

/** Tells whether an address can be read as one recipient only; other ones get no mail. */
export function isPlainAddress(address: string): boolean {
  return /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()\\,;"]+$/.test(address);
}

/** A letter as the mail library takes it. The recipient goes in as a whole address, never as text to be parsed. */
export function messageOf(letter: Letter, from: string): SendMailOptions {
  const sender = addressOf(from);
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  return {
    from,
    to: { name: '', address: letter.to },
    envelope: { from: sender, to: [letter.to] },
    subject: letter.subject,
    text: letter.text,
    html: letter.html,
    date: letter.queuedAt,
    messageId: `<${letter.mailId}@${domain}>`,
    // Absence notes are not to be sent in answer to a program.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
