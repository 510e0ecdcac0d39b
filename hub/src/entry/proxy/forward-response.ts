import type { IncomingMessage, ServerResponse } from 'node:http';
import { release } from '@corral/multiplex';
import type { ProxyCookie } from './cookie.ts';
import { headersForBrowser } from './headers.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import type { ResponseReader } from './ResponseReader.ts';
import type { DeviceResponse } from './send-request.ts';

interface BrowserResponse {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly cookie: ProxyCookie;
  readonly sendsHsts: boolean;
  /** How long the browser may accept nothing while data waits for it. */
  readonly stallTimeoutMs: number;
}

/**
 * Forwards a device's response, its head rebuilt, no faster than the browser reads it; one that breaks is broken for the browser too.
 * Resolves with whether it was complete. Rejects with a ProxyFailure if nothing was forwarded yet.
 */
export async function forwardResponse(upstream: DeviceResponse, browser: BrowserResponse): Promise<boolean> {
  const { request, response, cookie, sendsHsts, stallTimeoutMs } = browser;
  const { head, body } = upstream;
  const headers = headersForBrowser(head, cookie);
  if (sendsHsts) headers.push('Strict-Transport-Security', 'max-age=31536000');
  if (!request.complete) headers.push('Connection', 'close');
  // Body bytes that have arrived already are sent together with the head.
  const parts = body.takeParts();
  if (response.destroyed) return false;
  try {
    response.writeHead(head.status, headers);
  } catch {
    throw new ProxyFailure('garbled');
  }
  if (body.isDone) {
    sendComplete(response, parts, stallTimeoutMs);
    return true;
  }
  destroyWhenStalled(response, stallTimeoutMs);
  try {
    await streamBody(body, response, parts);
    return true;
  } catch {
    // Data that was written is sent first.
    process.nextTick(() => response.destroy());
    return false;
  }
}

const maxTextBytes = 8_192;

function sendComplete(response: ServerResponse, parts: readonly Buffer[], stallTimeoutMs: number): void {
  const body = parts.length > 1 ? Buffer.concat(parts) : parts[0];
  const releaseParts = (): void => parts.forEach(release);
  // Node joins a latin1 string with the head into one write, without another copy.
  if (body !== undefined && body.length <= maxTextBytes) {
    response.end(body.toString('latin1'), 'latin1');
    releaseParts();
  } else response.end(body, releaseParts);
  // Usually the kernel takes it at once, and no timeout is needed.
  if (waitingBytes(response) > 0) destroyWhenStalled(response, stallTimeoutMs);
}

async function streamBody(
  body: ResponseReader,
  response: ServerResponse,
  parts: readonly Buffer[],
): Promise<void> {
  // The first byte of the body can take long; the browser can act on the head before that.
  if (parts.length === 0) response.flushHeaders();
  const write = (part: Buffer): void => {
    if (response.write(part, () => release(part)) || response.destroyed) return;
    body.pause();
    if (response.listenerCount('drain') === 0) response.once('drain', () => body.resume());
  };
  for (const part of parts) write(part);
  await body.readParts(write);
  response.end();
}

const waitingBytes = (response: ServerResponse): number =>
  response.writableLength + (response.socket?.writableLength ?? 0);

function destroyWhenStalled(response: ServerResponse, stallTimeoutMs: number): void {
  response.setTimeout(stallTimeoutMs, () => {
    if (waitingBytes(response) > 0) response.destroy();
    // Nothing waits: a stream of events may be silent for any time.
    else response.socket?.setTimeout(stallTimeoutMs);
  });
}
