import type { SendMailOptions } from 'nodemailer';
import type { Email } from './email.ts';

/** The address in a sender such as `Corral <corral@hub.example>`. */
function addressOf(sender: string): string {
  return /<([^<>]+)>$/.exec(sender)?.[1] ?? sender;
}

/** Whether every mail program parses an address as exactly one recipient. Other addresses get no e-mail. */
export function isPlainAddress(address: string): boolean {
  return /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()\\,;"]+$/.test(address);
}

/** The options of nodemailer for an e-mail. The recipient is an address object, which nodemailer does not parse. */
export function messageOf(email: Email, from: string): SendMailOptions {
  const sender = addressOf(from);
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
  return {
    from,
    to: { name: '', address: email.to },
    envelope: { from: sender, to: [email.to] },
    subject: email.subject,
    text: email.text,
    html: email.html,
    date: email.queuedAt,
    messageId: `<${email.mailId}@${domain}>`,
    // Suppresses out-of-office replies.
    headers: {
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(email.unsubscribeUrl === undefined
        ? {}
        : {
            'List-Unsubscribe': `<${email.unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
    ...(email.threadId === undefined ? {} : { references: `<${email.threadId}@${domain}>` }),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
