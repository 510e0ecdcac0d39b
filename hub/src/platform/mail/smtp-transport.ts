import { createTransport } from 'nodemailer';
import type { MailTransport } from './email.ts';
import { isPlainAddress, messageOf } from './message.ts';

interface SmtpOptions {
  /** `smtp://` or `smtps://`, with user and password if the server requires them. */
  readonly url: string;
  readonly from: string;
}

const stepTimeoutMs = 10_000;
const idleTimeoutMs = 30_000;
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A transport to an SMTP server. Passwords are only sent over TLS, except to loopback addresses. */
export function smtpTransport({ url, from }: SmtpOptions): MailTransport {
  const transport = createSmtpTransport(url);
  const { hostname } = new URL(url);
  return {
    acceptedMessage: (to) => `The mail server ${hostname} accepted the e-mail to ${to}.`,
    async send(email) {
      if (!isPlainAddress(email.to)) return 'Refused';
      try {
        await transport.sendMail(messageOf(email, from));
        return 'Sent';
      } catch (error) {
        if (isPermanentlyRefused(error)) return 'Refused';
        throw error;
      }
    },
  };
}

/** Connects and authenticates to an SMTP server without sending an e-mail. Rejects as `send` does. */
export async function checkSmtpServer(url: string): Promise<void> {
  const transport = createSmtpTransport(url);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

function createSmtpTransport(url: string) {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === 'smtps:';
  const user = decodeURIComponent(username);
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    requireTLS: !isSecure && user !== '' && !loopback.test(hostname),
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(password) } }),
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: idleTimeoutMs,
  });
}

const serviceEnds = 421;

/** Whether an error of `send` is the server's answer to the recipient or the text of this one e-mail, so that it may well take others. */
export function isAboutOneMail(error: unknown): boolean {
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown };
  return (
    (command === 'RCPT TO' || command === 'DATA') &&
    typeof responseCode === 'number' &&
    responseCode !== serviceEnds
  );
}

/** Whether the server refuses the recipient. All other errors, such as a refused sender, count as temporary, since the operator can fix them. */
function isPermanentlyRefused(error: unknown): boolean {
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown };
  return command === 'RCPT TO' && typeof responseCode === 'number' && responseCode >= 500;
}
