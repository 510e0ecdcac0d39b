import { X509Certificate } from 'node:crypto';
import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { text as bodyOf } from 'node:stream/consumers';
import { instanceHeader } from '../../http/health.ts';

/** What answered a request. */
export interface HubAnswer {
  readonly status: number;
  readonly text: string;
  readonly version: string | undefined;
  readonly instance: string | undefined;
  /** Of an encrypted connection; undefined for another. */
  readonly certificate: X509Certificate | undefined;
  /** Why this machine does not trust that certificate. */
  readonly distrust: string | undefined;
}

const answerWithinMs = 8_000;
const maxBytes = 1_048_576;

/** Requests an address with GET; certificates are looked at, and not required to be trusted. Rejects when nothing answers. */
export async function askHub(url: string): Promise<HubAnswer> {
  const signal = AbortSignal.timeout(answerWithinMs);
  const isTls = url.startsWith('https:');
  const options = { signal, rejectUnauthorized: false, agent: false as const };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = isTls ? tlsRequest(url, options, resolve) : plainRequest(url, options, resolve);
  request.on('error', (error: NodeJS.ErrnoException) =>
    reject(error.name === 'AbortError' ? new Error('It does not answer.') : error),
  );
  request.end();
  const answer = await promise;
  const socket = isTls ? (answer.socket as TLSSocket) : undefined;
  const raw = socket?.getPeerCertificate().raw;
  const distrust = socket?.authorized === false ? String(socket.authorizationError) : undefined;
  return {
    status: answer.statusCode ?? 0,
    text: await bodyOf(cutAt(answer, maxBytes)),
    version: headerOf(answer, 'x-corral-version'),
    instance: headerOf(answer, instanceHeader),
    certificate: raw === undefined ? undefined : new X509Certificate(raw),
    distrust,
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** At most so many bytes of an answer; a stranger may send them without end. */
async function* cutAt(answer: IncomingMessage, most: number): AsyncGenerator<Buffer> {
  let left = most;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}
