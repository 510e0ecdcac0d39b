import { request as plainRequest, type IncomingMessage } from 'node:http';
import type { SecureContext } from 'node:tls';
import { type HubClock, refusalOf, unreachable } from '@corral/client';
import { lookupPeer, type SecureRequests } from '@corral/client/node';
import { CliError, exitCodes } from '../CliError.ts';

/** TLS settings for a hub. */
export interface TlsSettings {
  /** Holds the authorities trusted for the hub's certificate. */
  readonly secureContext: SecureContext;
  readonly requests: SecureRequests;
}

/** The parameters of the requests to a hub. */
export interface HubFetchOptions {
  readonly hubUrl: string;
  /** Undefined over plain HTTP. */
  readonly tls: TlsSettings | undefined;
  /** Called with the version in the hub's answer. */
  readonly onVersion: (version: string) => void;
  /** Learns the hub's time from each answer. */
  readonly clock: HubClock;
}

const answerTimeoutMs = 60_000;
const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i;

/**
 * A `fetch` for the hub's JSON with errors for people: rejected with a ConnectError when the hub cannot be reached or the server is no hub,
 * with a CliError when the answer is truncated.
 */
export function hubFetch(options: HubFetchOptions): typeof fetch {
  return async (input, init = {}) => {
    const sentAtMs = Date.now();
    const answer = await ask(options, String(input), init);
    const { statusCode = 0, headers } = answer;
    options.onVersion(String(headers['x-corral-version'] ?? ''));
    options.clock.note(headers.date, sentAtMs);
    if (!isJson.test(headers['content-type'] ?? '')) throw await refusalOf(answer, options.hubUrl);
    const body = await readWhole(answer);
    return new Response(body, { status: statusCode, headers: responseHeaders(headers) });
  };
}

function ask(
  { hubUrl, tls }: HubFetchOptions,
  url: string,
  { method = 'GET', headers, body }: RequestInit,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const text = typeof body === 'string' ? body : '';
    const options = {
      method,
      headers: { ...(headers as Record<string, string>), 'content-length': Buffer.byteLength(text) },
      timeout: answerTimeoutMs,
      lookup: lookupPeer,
    };
    const request =
      tls === undefined
        ? plainRequest(url, options, resolve)
        : tls.requests.request(url, { ...options, secureContext: tls.secureContext }, resolve);
    request.on('timeout', () => request.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })));
    request.on('error', (error) => reject(unreachable(error, hubUrl)));
    request.end(text);
  });
}

async function readWhole(answer: IncomingMessage): Promise<string> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of answer) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    JSON.parse(text);
    return text;
  } catch (cause) {
    throw new CliError("The hub's answer did not arrive whole.", exitCodes.damaged, { cause });
  }
}

function responseHeaders(headers: IncomingMessage['headers']): Record<string, string> {
  const { 'retry-after': retryAfter, 'x-request-id': requestId } = headers;
  return {
    ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    ...(requestId === undefined ? {} : { 'x-request-id': String(requestId) }),
  };
}
