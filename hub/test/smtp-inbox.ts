import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerError, type SMTPServerOptions } from 'smtp-server';

/** A received e-mail. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly html: string;
  readonly isSecured: boolean;
  /** The user name that the sender authenticated with. */
  readonly user: string | undefined;
}

/** A real SMTP server on loopback that keeps what it receives. */
export interface SmtpInbox extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** Passwords that senders tried. */
  readonly passwords: readonly string[];
  /** Sets the status that recipients are answered with from now on; all by default. */
  refuseRecipients(status: number | undefined, which?: RegExp): void;
  /** Stops listening; `restart` listens on the same port again. */
  stopListening(): Promise<void>;
  restart(): Promise<void>;
  /** Resolves when this number of e-mails has been received. */
  until(count: number): Promise<void>;
}

/** Starts the server on a free port, by default without authentication and TLS. */
export async function smtpInbox(options: SMTPServerOptions = {}): Promise<SmtpInbox> {
  const mails: ReceivedMail[] = [];
  const passwords: string[] = [];
  const waiting = new Set<() => void>();
  let refusal: { status: number | undefined; which: RegExp } | undefined;
  const create = (): SMTPServer =>
    new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      onAuth({ username, password }, _session, answer) {
        passwords.push(password ?? '');
        answer(null, { user: username });
      },
      onRcptTo({ address }, _session, answer) {
        const responseCode = refusal?.which.test(address) === true ? refusal.status : undefined;
        answer(responseCode === undefined ? null : Object.assign(new Error('no'), { responseCode }));
      },
      onData(stream, { envelope, secure, user }, answer) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          mails.push({
            ...readMail(Buffer.concat(chunks).toString('utf8')),
            from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
            to: envelope.rcptTo.map(({ address }) => address),
            isSecured: secure,
            user: user as string | undefined,
          });
          answer();
          for (const check of waiting) check();
        });
      },
      ...options,
    });
  let server = create();
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.on('error', (error: SMTPServerError) => reject(error));
      server.listen(port, '127.0.0.1', resolve);
    });
  const close = (): Promise<void> => new Promise((resolve) => server.close(resolve));
  await listen(0);
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    mails,
    passwords,
    refuseRecipients: (status, which = /./) => void (refusal = { status, which }),
    stopListening: close,
    async restart() {
      server = create();
      await listen(port);
    },
    until: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (mails.length < count) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    [Symbol.asyncDispose]: close,
  };
}

/** The parts of an e-mail that has a text and an HTML version. */
export function readMail(source: string): Pick<ReceivedMail, 'headers' | 'text' | 'html'> {
  const { headers, body } = cut(source);
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1];
  const parts =
    boundary === undefined ? [source] : body.split(`--${boundary}`).map((part) => part.trimStart());
  const decoded = (type: string): string => {
    const part = parts.map(cut).find((one) => one.headers['content-type']?.startsWith(type) === true);
    return part === undefined ? '' : decode(part.body, part.headers['content-transfer-encoding'] ?? '7bit');
  };
  return { headers, text: decoded('text/plain'), html: decoded('text/html') };
}

function cut(source: string): { headers: Record<string, string>; body: string } {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { headers, body: rest.join('\r\n\r\n') };
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n');
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_found, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}

/** The activation token inside an e-mail's text. */
export function tokenIn(text: string): string {
  const token = /\/(?:signup\/verify|set-password)\?jwt=(\S+)/.exec(text)?.[1];
  if (token === undefined) throw new Error(`there is no link in: ${text}`);
  return token;
}
