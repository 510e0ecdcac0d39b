import { createTransport } from 'nodemailer';
import type { Post } from './letter.ts';
import { isPlainAddress, messageOf } from './message.ts';

interface SmtpServer {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  readonly url: string;
  readonly from: string;
}

const stepTimeoutMs = 10_000;
const silenceTimeoutMs = 30_000;
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A post that hands letters to an SMTP server. A password never crosses a network in the clear: without TLS it is not sent. */
export function smtpServer({ url, from }: SmtpServer): Post {
  const { protocol, hostname, port, username, password } = new URL(url);
  const isSecure = protocol === 'smtps:';
  const user = decodeURIComponent(username);
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    requireTLS: !isSecure && user !== '' && !loopback.test(hostname),
    ...(user === '' ? {} : { auth: { user, pass: decodeURIComponent(password) } }),
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: silenceTimeoutMs,
  });
  return {
    async send(letter) {
      if (!isPlainAddress(letter.to)) return 'Refused';
      try {
        await transport.sendMail(messageOf(letter, from));
        return 'Sent';
      } catch (error) {
        if (isRefusedForGood(error)) return 'Refused';
        throw error;
      }
    },
  };
}

/** The server knows no such recipient; anything else, such as an unknown sender, may be mended by the operator. */
function isRefusedForGood(error: unknown): boolean {
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown };
  return command === 'RCPT TO' && typeof responseCode === 'number' && responseCode >= 500;
}
