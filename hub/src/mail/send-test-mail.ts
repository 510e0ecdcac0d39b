import type { Email, MailTransport } from './email.ts';

/** How the attempt to send an e-mail ended, in a sentence. */
export interface TestMailOutcome {
  readonly isSent: boolean;
  readonly message: string;
}

/** Sends an e-mail to one address, and says how the conversation with the mail server ended. */
export async function sendTestMail(
  transport: MailTransport,
  to: string,
  publicUrl: string,
  now: Date,
): Promise<TestMailOutcome> {
  try {
    const result = await transport.send(testMail(to, publicUrl, now));
    if (result === 'Sent') return { isSent: true, message: transport.accepted(to) };
    return { isSent: false, message: `The mail server refused the recipient ${to}.` };
  } catch (error) {
    return { isSent: false, message: mailServerSentence(error) };
  }
}

function testMail(to: string, publicUrl: string, now: Date): Email {
  const text = `The hub at ${publicUrl} can send e-mails: this is the one that you asked for.`;
  return {
    mailId: `test-${now.getTime()}`,
    kind: 'Test',
    to,
    subject: 'Corral can send e-mails',
    text: `${text}\n`,
    html: `<!doctype html>\n<html lang="en"><body><p>${text}</p></body></html>\n`,
    link: `${publicUrl}/admin/settings`,
    queuedAt: now,
  };
}

const maxAnswerLength = 300;

/** What nodemailer reports, as sentences; the answer of a mail server is text of a stranger and is cut. */
export function mailServerSentence(error: unknown): string {
  const { code, response, message } = error as { code?: string; response?: string; message?: string };
  const detail = (response ?? message ?? '').replaceAll(/[\p{Cc}\s]+/gu, ' ').trim();
  const ending = detail.length > maxAnswerLength ? `${detail.slice(0, maxAnswerLength)}…` : detail;
  const end = /[.!…]$/.test(ending) ? '' : '.';
  if (code === 'EAUTH') return `The mail server refused the user name or the password: ${ending}${end}`;
  if (code === 'ETIMEDOUT') return `The mail server did not answer in time: ${ending}${end}`;
  if (response !== undefined) return `The mail server refused the e-mail: ${ending}${end}`;
  return `The mail server cannot be reached: ${ending}${end}`;
}
