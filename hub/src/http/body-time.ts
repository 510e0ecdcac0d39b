import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuseMalformed } from './malformed-requests.ts';

const defaultWithinMs = 30_000;

/**
 * Ends a request whose body does not arrive in time. Uploads (PUT) are excepted: their routes check for progress instead.
 */
export function limitBodyTime(
  request: IncomingMessage,
  response: ServerResponse,
  withinMs = defaultWithinMs,
): void {
  if (!hasBody(request)) return;
  response.once('finish', () => {
    // A timer would keep the request in memory after its answer.
    if (request.complete) return;
    // A client that is still sending after the response gets a moment to finish.
    setTimeout(() => request.complete || request.socket.destroy(), withinMs / 6);
  });
  if (request.method === 'PUT') return;
  const timer = setTimeout(() => {
    if (request.complete) return;
    if (response.headersSent) return request.socket.destroy();
    const late = Object.assign(new Error('the body is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    refuseMalformed(late, request.socket);
  }, withinMs);
  const stop = (): void => clearTimeout(timer);
  request.once('end', stop).once('close', stop);
}

/** Whether a request has a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
