import type { Email, MailTransport } from './email.ts';
import { oneLine } from '../messages/plain-text.ts';
import { emailParts } from './email-parts.ts';

/** The result of a test e-mail, with a sentence for users. */
export interface TestMailOutcome {
  readonly isSent: boolean;
  readonly message: string;
}

/** Sends a test e-mail to one address. */
export async function sendTestMail(
  transport: MailTransport,
  to: string,
  publicUrl: string,
  now: Date,
): Promise<TestMailOutcome> {
  try {
    const result = await transport.send(testMail(to, publicUrl, now));
    if (result === 'Refused')
      return { isSent: false, message: `The mail server refused the recipient ${to}.` };
    return { isSent: result === 'Sent', message: transport.acceptedMessage(to) };
  } catch (error) {
    return { isSent: false, message: mailServerMessage(error) };
  }
}

function testMail(to: string, publicUrl: string, now: Date): Email {
  const texts = {
    subject: 'Corral can send e-mails',
    before: [`The hub at ${publicUrl} can send e-mails: this is the one that you asked for.`],
    link: { label: 'Open the settings', url: `${publicUrl}/admin/settings` },
    after: [],
  };
  return {
    mailId: `test-${now.getTime()}`,
    kind: 'Test',
    to,
    ...emailParts(texts, publicUrl),
    queuedAt: now,
  };
}

const maxResponseLength = 300;

/** A sentence for an error of nodemailer. The mail server's response is untrusted text. */
export function mailServerMessage(error: unknown): string {
  const { code, response, message } = error as { code?: string; response?: string; message?: string };
  const excerpt = oneLine(response ?? message ?? '', maxResponseLength);
  const end = /[.!…]$/.test(excerpt) ? '' : '.';
  if (code === 'EAUTH') return `The mail server refused the user name or the password: ${excerpt}${end}`;
  if (code === 'ETIMEDOUT') return `The mail server did not answer in time: ${excerpt}${end}`;
  if (response !== undefined) return `The mail server refused the e-mail: ${excerpt}${end}`;
  return `The mail server cannot be reached: ${excerpt}${end}`;
}
