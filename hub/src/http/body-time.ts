import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuseMalformed } from './malformed-requests.ts';

const defaultWithinMs = 30_000;

/**
 * Ends a request whose body is not there in time. Uploads are left alone, whose routes watch that they go on: the time that a large body
 * takes is the network's.
 */
export function limitBodyTime(
  request: IncomingMessage,
  response: ServerResponse,
  withinMs = defaultWithinMs,
): void {
  if (!hasBody(request)) return;
  // Whoever has the answer and still sends is given a moment to finish.
  response.once('finish', () => setTimeout(() => request.complete || request.socket.destroy(), withinMs / 6));
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

/** Tells whether a request announces a body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
