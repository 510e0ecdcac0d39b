import type { IncomingMessage } from 'node:http';
import { retryAfterMs } from './backoff.ts';
import { ConnectError } from './ConnectError.ts';

const maxAnswerBytes = 65_536;
const maxShownCharacters = 500;

/** Turns the hub's plain HTTP answer to an upgrade into the error it describes. */
export async function refusalOf(response: IncomingMessage): Promise<ConnectError> {
  const status = response.statusCode ?? 0;
  const message = (await messageIn(response)) ?? `The hub answered with status ${status}.`;
  return new ConnectError(message, status, retryAfterMs(response.headers['retry-after'], Date.now()));
}

async function messageIn(response: IncomingMessage): Promise<string | undefined> {
  try {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > maxAnswerBytes) return undefined;
      chunks.push(chunk);
    }
    const { message } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { message?: unknown };
    return typeof message === 'string' ? message.slice(0, maxShownCharacters) : undefined;
  } catch {
    // A proxy's page, or nothing at all: the status says what there is to say.
    return undefined;
  }
}

const causes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be looked up now',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'it broke the connection',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'the network is down',
  EPROTO: 'it does not speak TLS there',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS there',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by nobody whom this machine trusts',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by nobody whom this machine trusts',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by nobody whom this machine trusts',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

/** Turns a failure below HTTP into a sentence that names the hub. */
export function unreachable(error: NodeJS.ErrnoException, hubUrl: string): ConnectError {
  const cause = causes[error.code ?? ''] ?? (error.message.split('\n')[0] || error.code || 'unknown');
  return new ConnectError(`The hub at ${hubUrl} cannot be reached: ${cause}.`);
}
