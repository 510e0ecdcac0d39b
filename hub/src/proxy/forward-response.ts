import type { IncomingMessage, ServerResponse } from 'node:http';
import { release } from '@corral/multiplex';
import type { ProxyCookie } from './cookie.ts';
import { headersForBrowser } from './headers.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import type { ResponseBody } from './response-body.ts';
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
 * Forwards a device's response: its head rebuilt, its body as it comes and no faster than the browser reads it. A response that breaks is
 * broken for the browser too. Resolves with whether the device sent the complete response and nothing after it. Rejects with a ProxyFailure
 * if nothing was forwarded yet.
 */
export async function forwardResponse(upstream: DeviceResponse, browser: BrowserResponse): Promise<boolean> {
  const { request, response, cookie, sendsHsts, stallTimeoutMs } = browser;
  const headers = headersForBrowser(upstream.head, cookie);
  if (sendsHsts) headers.push('Strict-Transport-Security', 'max-age=31536000');
  if (!request.complete) headers.push('Connection', 'close');
  // Body bytes that have arrived already are sent together with the head.
  const parts: Buffer[] = [];
  const end = upstream.body.parse(upstream.rest, 0, (data) => parts.push(data));
  if (response.destroyed) return false;
  try {
    response.writeHead(upstream.head.status, headers);
  } catch {
    throw new ProxyFailure('garbled');
  }
  if (upstream.body.isDone) {
    sendComplete(response, parts, stallTimeoutMs);
    return end === upstream.rest.length;
  }
  destroyWhenStalled(response, stallTimeoutMs);
  try {
    return await streamBody(upstream, response, parts);
  } catch {
    // Data that was written is sent first.
    process.nextTick(() => response.destroy());
    return false;
  }
}

const maxTextBytes = 8_192;

function sendComplete(response: ServerResponse, parts: readonly Buffer[], stallTimeoutMs: number): void {
  const body = parts.length > 1 ? Buffer.concat(parts) : parts[0];
  // Node joins a latin1 string with the head into one write, without another copy.
  if (body !== undefined && body.length <= maxTextBytes) response.end(body.toString('latin1'), 'latin1');
  else response.end(body);
  // Usually the kernel takes it at once, and no timeout is needed.
  if (waitingBytes(response) > 0) destroyWhenStalled(response, stallTimeoutMs);
}

async function streamBody(
  { stream, body, rest }: DeviceResponse,
  response: ServerResponse,
  parts: readonly Buffer[],
): Promise<boolean> {
  // The first byte of the body can take long; the browser can act on the head before that.
  if (parts.length === 0) response.flushHeaders();
  for (const part of parts) response.write(part);
  let end = rest.length;
  let bytes: Buffer | null = rest;
  while (!body.isDone) {
    if (response.writableNeedDrain) await drained(response);
    bytes = await stream.read();
    if (bytes === null) break;
    end = writeBody(bytes, body, response);
  }
  if (bytes === null && !body.endsWithStream) throw new ProxyFailure('broken');
  response.end();
  return bytes !== null && end === bytes.length;
}

/** Writes the body's part of the bytes, releases the buffer after the writes, and returns the offset at which the body ended. */
function writeBody(bytes: Buffer, body: ResponseBody, response: ServerResponse): number {
  let referenceCount = 1;
  const onWritten = (): void => {
    referenceCount -= 1;
    if (referenceCount === 0) release(bytes);
  };
  const end = body.parse(bytes, 0, (data) => {
    referenceCount += 1;
    response.write(data, onWritten);
  });
  onWritten();
  return end;
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
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
