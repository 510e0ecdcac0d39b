import { X509Certificate } from 'node:crypto';
import { type IncomingMessage, request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { text as bodyOf } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { instanceHeader } from '../../entry/http/metrics.ts';

/** The response of a hub or another program, and the certificate of the server. */
export interface HubResponse {
  readonly status: number;
  readonly text: string;
  readonly version: string | undefined;
  readonly instance: string | undefined;
  /** Undefined for plain HTTP. */
  readonly certificate: X509Certificate | undefined;
  /** Why this machine does not trust that certificate. */
  readonly trustError: string | undefined;
}

const timeoutMs = 8_000;
const maxBytes = 1_048_576;

/** Requests a URL with GET, also from a server whose certificate is not trusted. Rejects when nothing answers. */
export async function requestHub(url: string): Promise<HubResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  const isTls = url.startsWith('https:');
  const options = { signal, rejectUnauthorized: false, agent: false as const };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = isTls ? tlsRequest(url, options, resolve) : plainRequest(url, options, resolve);
  request.on('error', (error: NodeJS.ErrnoException) =>
    reject(error.name === 'AbortError' ? new Error('It does not answer within 8 s.') : error),
  );
  request.end();
  const response = await promise;
  const socket = isTls ? (response.socket as TLSSocket) : undefined;
  const raw = socket?.getPeerCertificate().raw;
  const trustError = socket?.authorized === false ? String(socket.authorizationError) : undefined;
  return {
    status: response.statusCode ?? 0,
    text: await bodyOf(firstBytes(response, maxBytes)),
    version: headerOf(response, 'x-corral-version'),
    instance: headerOf(response, instanceHeader),
    certificate: raw === undefined ? undefined : new X509Certificate(raw),
    trustError,
  };
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** The first bytes of a response, which may be endless if it is from another program. */
async function* firstBytes(response: IncomingMessage, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    yield chunk.subarray(0, left);
    left -= chunk.length;
    if (left <= 0) return;
  }
}
