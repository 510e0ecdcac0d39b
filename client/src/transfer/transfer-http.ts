import {
  Agent as PlainAgent,
  request as plainRequest,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import type { SecureContext } from 'node:tls';
import { decodeMessage, messageHeader, storedBytesHeader } from '@corral/contract';
import { lookupPeer } from '../node/loopback-lookup.ts';
import { secureRequests, type SecureRequests } from '../node/secure-requests.ts';
import { retryAfterMs } from '../link/backoff.ts';
import { refusalOf, unreachable } from '../link/refusal.ts';
import { TransferError } from '../TransferError.ts';

/** A request to an issued URL. It never has credentials: the URL is the permission. */
export interface TransferRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'PATCH' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Its length is announced by the caller in a header. */
  readonly body?: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal | undefined;
}

/** An answer whose body the caller reads or destroys. */
export type TransferAnswer = IncomingMessage;

/** Sends requests to issued URLs. */
export interface TransferHttp {
  /** Follows redirects of GET and HEAD. Rejected with a TransferError when there is no answer; an answer with an error status is an answer. */
  send(url: string, request: TransferRequest): Promise<TransferAnswer>;
  /** Closes kept connections. */
  close(): void;
}

/** How to reach the peers. */
export interface TransferHttpOptions {
  /** Holds the trusted authorities. */
  readonly secureContext: SecureContext;
  /** Names the proxy for https, if any. */
  readonly env: NodeJS.ProcessEnv;
}

/** A connection without a byte in either direction for this long is broken. */
const idleTimeoutMs = 60_000;
const maxRedirects = 5;
const maxHeaderBytes = 16_384;

/** Creates a client that keeps its connections. */
export function transferHttp({ secureContext, env }: TransferHttpOptions): TransferHttp {
  const plain = new PlainAgent({ keepAlive: true });
  const secure = secureRequests(env, true);
  const agents = { secure, plain, secureContext };
  return {
    send: (url, request) => follow(agents, url, request),
    close() {
      plain.destroy();
      secure.close();
    },
  };
}

interface Agents {
  readonly plain: PlainAgent;
  readonly secure: SecureRequests;
  readonly secureContext: SecureContext;
}

async function follow(agents: Agents, url: string, request: TransferRequest): Promise<TransferAnswer> {
  let at = checked(url);
  for (let redirects = 0; ; redirects += 1) {
    const answer = await exchange(agents, at, request);
    const { statusCode = 0, headers } = answer;
    const isRedirect = statusCode >= 300 && statusCode < 400 && headers.location !== undefined;
    if (!isRedirect || !['GET', 'HEAD'].includes(request.method)) return answer;
    answer.destroy();
    if (redirects === maxRedirects)
      throw new TransferError('Refused', `${at.origin} redirects in a circle.`, { status: statusCode });
    at = checked(headers.location ?? '', at);
  }
}

function checked(url: string, base?: URL): URL {
  const parsed = URL.canParse(url, base?.href) ? new URL(url, base?.href) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol))
    throw new TransferError('Refused', 'The hub issued an address that is neither http nor https.');
  return parsed;
}

function exchange(agents: Agents, url: URL, request: TransferRequest): Promise<TransferAnswer> {
  const { method, headers = {}, body, signal } = request;
  const options = {
    method,
    headers: { 'accept-encoding': 'identity', ...headers },
    timeout: idleTimeoutMs,
    lookup: lookupPeer,
    maxHeaderSize: maxHeaderBytes,
    ...(signal === undefined ? {} : { signal }),
  };
  const { promise, resolve, reject } = Promise.withResolvers<TransferAnswer>();
  const outgoing = open(agents, url, options);
  let answered: TransferAnswer | undefined;
  const fail = (cause: Error): void => {
    const error = cause instanceof TransferError ? cause : interrupted(cause, url);
    if (answered === undefined) reject(error);
    else answered.destroy(error);
  };
  outgoing.on('timeout', () => outgoing.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })));
  outgoing.on('error', fail);
  outgoing.on('response', (answer: IncomingMessage) => {
    answered = answer;
    resolve(answer);
  });
  void write(outgoing, body, () => answered !== undefined).catch((cause: Error) => {
    reject(cause instanceof TransferError ? cause : interrupted(cause, url));
    outgoing.destroy();
  });
  return promise;
}

function open({ plain, secure, secureContext }: Agents, url: URL, options: RequestOptions) {
  if (url.protocol === 'http:') return plainRequest(url, { ...options, agent: plain });
  try {
    return secure.request(url, { ...options, secureContext });
  } catch (cause) {
    // No time helps a wrong setting.
    throw new TransferError('Local', (cause as Error).message, { cause });
  }
}

/** Writes the body until its end, or until the peer has answered without it. */
async function write(
  outgoing: ReturnType<typeof plainRequest>,
  body: AsyncIterable<Uint8Array> | undefined,
  isAnswered: () => boolean,
): Promise<void> {
  if (body === undefined) {
    outgoing.end();
    return;
  }
  for await (const chunk of body) {
    if (isAnswered() || outgoing.destroyed) return;
    if (!outgoing.write(chunk)) await drained(outgoing);
  }
  outgoing.end();
}

function drained(outgoing: ReturnType<typeof plainRequest>): Promise<void> {
  // Its close may have been told already.
  if (outgoing.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      for (const event of ['drain', 'close', 'response']) outgoing.off(event, done);
      resolve();
    };
    for (const event of ['drain', 'close', 'response']) outgoing.on(event, done);
  });
}

function interrupted(cause: Error & { code?: string }, url: URL): TransferError {
  // The sentences are those for the hub, which issued the address.
  const { message } = unreachable(cause, url.origin);
  return new TransferError('Interrupted', message.replace(/^The hub at /, ''), { cause });
}

function headerOf({ headers }: TransferAnswer): string | undefined {
  const value = headers[messageHeader];
  return Array.isArray(value) ? value[0] : value;
}

/** The error that an answer describes; reads a little of its body. */
export async function answerError(answer: TransferAnswer, url: string): Promise<TransferError> {
  const { statusCode: status = 0 } = answer;
  const { message, kind } = await refusalOf(answer, new URL(url).origin);
  const waitMs = retryAfterMs(answer.headers);
  const unknown = `${new URL(url).origin} answered with status ${status}.`;
  const sentence = kind === undefined ? (decodeMessage(headerOf(answer)) ?? unknown) : message;
  const fault = answer.headers[storedBytesHeader] === 'damaged' ? 'Damaged' : 'Refused';
  return new TransferError(fault, sentence, { status, retryAfterMs: waitMs });
}
