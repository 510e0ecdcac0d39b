import { retryAfterMs } from './backoff.ts';
import { ConnectError } from './ConnectError.ts';

/** The parts of Node's `IncomingMessage` that are used. */
export interface PlainAnswer extends AsyncIterable<Uint8Array> {
  readonly statusCode?: number | undefined;
  readonly headers: {
    readonly 'retry-after'?: string | undefined;
    readonly location?: string | undefined;
    readonly date?: string | undefined;
    readonly 'x-corral-failure'?: string | undefined;
  };
}

const maxAnswerBytes = 65_536;
const maxShownCharacters = 500;

/** The error that a plain HTTP answer to an upgrade describes. */
export async function refusalOf(answer: PlainAnswer, hubUrl: string): Promise<ConnectError> {
  const status = answer.statusCode ?? 0;
  const { message, kind } = await bodyOf(answer);
  const waitMs = retryAfterMs(answer.headers);
  return new ConnectError(
    message ?? messageOf(status, hubUrl, answer.headers.location),
    status,
    waitMs,
    kind,
    answer.headers['x-corral-failure'],
  );
}

interface ErrorFields {
  readonly message?: string;
  readonly kind?: string;
}

async function bodyOf(answer: PlainAnswer): Promise<ErrorFields> {
  try {
    const parts: string[] = [];
    const decoder = new TextDecoder();
    let sizeBytes = 0;
    for await (const part of answer) {
      sizeBytes += part.length;
      if (sizeBytes > maxAnswerBytes) return {};
      parts.push(decoder.decode(part, { stream: true }));
    }
    const { message, kind } = JSON.parse(parts.join('')) as { message?: unknown; kind?: unknown };
    if (typeof message !== 'string' || typeof kind !== 'string') return {};
    return { message: message.slice(0, maxShownCharacters), kind };
  } catch {
    // A proxy's page or an empty body: the status alone describes the error.
    return {};
  }
}

/** The sentence for an answer that does not come from a hub. */
function messageOf(status: number, hubUrl: string, location: string | undefined): string {
  if (status >= 300 && status < 400 && location !== undefined) {
    // An address has no path.
    const target = URL.canParse(location) ? new URL(location).origin : location;
    return `${hubUrl} redirects to ${target.slice(0, maxShownCharacters)}: give that as the address of the hub.`;
  }
  if (status === 426)
    return `A proxy on the way to ${hubUrl} lets no WebSockets pass (status 426): change its configuration.`;
  if (status < 500 && status !== 429) return `What answers at ${hubUrl} is no Corral hub (status ${status}).`;
  return `The hub answered with status ${status}.`;
}

const trustIt = 'if it is the right one, give the file of the certificate that signed it in SSL_CERT_FILE';
const untrusted = `its certificate is signed by nobody whom this machine trusts; ${trustIt}`;

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
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS there',
  DEPTH_ZERO_SELF_SIGNED_CERT: `its certificate is self-signed; ${trustIt}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
};

/** A failure below HTTP, as Node.js describes it. */
export interface SocketError extends Error {
  readonly code?: string | undefined;
  readonly syscall?: string | undefined;
  /** The status by which a proxy refused. */
  readonly statusCode?: number | undefined;
  /** The address of the proxy on the way, without a password. */
  readonly proxy?: string | undefined;
}

/** The error for a failure below HTTP, with a sentence that names the hub, and the proxy if there is one. */
export function unreachable(error: SocketError, hubUrl: string): ConnectError {
  const { proxy, code = '', syscall = '', statusCode } = error;
  const isProxyDead = ['connect', 'getaddrinfo'].includes(syscall);
  if (proxy !== undefined && isProxyDead)
    return new ConnectError(`The proxy ${proxy} cannot be reached: ${causeOf(error)}.`);
  if (proxy !== undefined && code === 'ERR_PROXY_TUNNEL')
    return new ConnectError(`The proxy ${proxy} does not connect to ${hubUrl}: ${refusals(statusCode)}.`);
  const through = proxy === undefined ? '' : ` through the proxy ${proxy}`;
  return new ConnectError(`The hub at ${hubUrl} cannot be reached${through}: ${causeOf(error)}.`);
}

function refusals(status: number | undefined): string {
  if (status === undefined) return 'it broke the connection';
  return status === 407
    ? 'it wants a name and a password, as in http://name:password@proxy.example:3128'
    : `it answered with status ${status}`;
}

function causeOf({ code = '', message }: SocketError): string {
  const known = code.startsWith('HPE_') ? 'what answers there does not speak HTTP' : causes[code];
  return known ?? (message.split('\n')[0] || code || 'unknown');
}
