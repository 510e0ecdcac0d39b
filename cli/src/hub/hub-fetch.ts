import { request as plainRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest, type Agent } from 'node:https';
import type { SecureContext } from 'node:tls';
import { refusalOf, unreachable } from '@corral/client';
import { CliError, exitCodes } from '../CliError.ts';

/** How a hub is reached over TLS. */
export interface SecureWay {
  /** Whom to believe about the hub's certificate. */
  readonly secureContext: SecureContext;
  /** Makes the connections. */
  readonly agent: Agent;
}

/** How a hub is asked over HTTP. */
export interface HubFetchOptions {
  readonly hubUrl: string;
  /** Undefined over plain HTTP. */
  readonly way: SecureWay | undefined;
  /** Gets the version that the hub's answer names. */
  readonly onVersion: (version: string) => void;
}

const answerTimeoutMs = 60_000;
const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i;

/**
 * A `fetch` for the hub's JSON, which says what is wrong in sentences: rejected with a ConnectError when the hub is not reached or what
 * answers is no hub, with a CliError when its answer is cut off.
 */
export function hubFetch(options: HubFetchOptions): typeof fetch {
  return async (input, init = {}) => {
    const answer = await ask(options, String(input), init);
    const { statusCode = 0, headers } = answer;
    options.onVersion(String(headers['x-corral-version'] ?? ''));
    if (!isJson.test(headers['content-type'] ?? '')) throw await refusalOf(answer, options.hubUrl);
    const body = await readWhole(answer);
    return new Response(body, { status: statusCode, headers: flat(headers) });
  };
}

function ask(
  { hubUrl, way }: HubFetchOptions,
  url: string,
  { method = 'GET', headers, body }: RequestInit,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const text = typeof body === 'string' ? body : '';
    const form = {
      method,
      headers: { ...(headers as Record<string, string>), 'content-length': Buffer.byteLength(text) },
      timeout: answerTimeoutMs,
    };
    const request =
      way === undefined
        ? plainRequest(url, form, resolve)
        : secureRequest(url, { ...form, ...way } as object, resolve);
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

function flat(headers: IncomingMessage['headers']): Record<string, string> {
  const { 'retry-after': retryAfter, 'x-request-id': requestId } = headers;
  return {
    ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    ...(requestId === undefined ? {} : { 'x-request-id': String(requestId) }),
  };
}
