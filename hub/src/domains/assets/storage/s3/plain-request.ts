import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { once } from 'node:events';
import type { Agents } from '../../../../platform/outgoing/guarded-agents.ts';

/** A request as a client of the store sends it, with a URL that the hub signed. */
export interface PlainRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: Uint8Array;
  /** Whether the connection ends behind the body, although the headers announce more. */
  readonly isCutOff?: boolean;
}

/** What the store answered, with at most 64 KiB of the body. */
export interface PlainAnswer {
  readonly status: number;
  readonly body: Buffer;
  /** The clock of the store. */
  readonly date: Date | undefined;
}

const timeoutMs = 15_000;
const maxBodyBytes = 65_536;

/** Sends a request over the agents, without redirects. Resolves with no answer if it was cut off. */
export async function plainRequest(
  agents: Agents,
  sent: PlainRequest,
  abortSignal: AbortSignal,
): Promise<PlainAnswer | undefined> {
  const { method, url, headers, body, isCutOff = false } = sent;
  const isTls = url.startsWith('https:');
  const agent = isTls ? agents.httpsAgent : agents.httpAgent;
  const signal = AbortSignal.any([abortSignal, AbortSignal.timeout(timeoutMs)]);
  const request = (isTls ? httpsRequest : httpRequest)(url, {
    method,
    headers: { ...headers },
    agent,
    signal,
  });
  if (isCutOff) {
    request.on('error', () => undefined);
    request.write(body, () => request.destroy());
    return new Promise((resolve) => request.once('close', () => resolve(undefined)));
  }
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await read(response), date: dateOf(response) };
}

async function read(response: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for await (const piece of response) {
    pieces.push(piece);
    sizeBytes += piece.length;
    if (sizeBytes > maxBodyBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, maxBodyBytes);
}

function dateOf({ headers: { date } }: IncomingMessage): Date | undefined {
  const read = new Date(date ?? '');
  return Number.isNaN(read.getTime()) ? undefined : read;
}
