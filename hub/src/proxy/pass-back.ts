import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { ProxyCookie } from './cookie.ts';
import { headersForBrowser } from './headers.ts';
import { ProxyFailure } from './ProxyFailure.ts';

interface Back {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly cookie: ProxyCookie;
  /** Whether browsers are to come over HTTPS alone from now on. */
  readonly isStrict: boolean;
  /** How long the browser may take nothing of what waits for it. */
  readonly stalledForMs: number;
}

/**
 * Passes a device's answer on: its head rebuilt, its body as it comes and no faster than the browser takes it. An answer that breaks off
 * breaks off for the browser too. Rejected with a ProxyFailure when nothing was passed on yet.
 */
export async function passBack(
  answer: IncomingMessage,
  { request, response, cookie, isStrict, stalledForMs }: Back,
): Promise<void> {
  const headers = headersForBrowser(answer, cookie);
  if (isStrict) headers.push('Strict-Transport-Security', 'max-age=31536000');
  if (!request.complete) headers.push('Connection', 'close');
  try {
    response.writeHead(answer.statusCode ?? 502, headers);
  } catch {
    throw new ProxyFailure('garbled');
  }
  // The first byte may be long in coming, and the head tells a browser what to do meanwhile.
  response.flushHeaders();
  cutWhenStalled(response, stalledForMs);
  await pipeline(answer, response).catch(() => void response.destroy());
}

function cutWhenStalled(response: ServerResponse, stalledForMs: number): void {
  response.setTimeout(stalledForMs, () => {
    const { socket } = response;
    if (response.writableLength + (socket?.writableLength ?? 0) > 0) response.destroy();
    // Nothing waits: a stream of events may rest as long as it likes.
    else socket?.setTimeout(stalledForMs);
  });
}
