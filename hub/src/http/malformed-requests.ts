import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { refusalOf, refuseSocket } from './refuse-socket.ts';

const answers: Readonly<Record<string, { readonly status: string; readonly message: string }>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    message: 'The headers of the request are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    message: 'The request took too long to arrive.',
  },
};
const malformed = { status: '400 Bad Request', message: 'The request is not valid HTTP.' };

/** Responds to a request that Node could not parse, and ends the connection. */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { status, message } = answers[error.code ?? ''] ?? malformed;
  refuseSocket(socket, refusalOf(status, message));
}

/** Responds to a URL that cannot be decoded. */
export function refuseBadAddress(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(400, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  response.end(JSON.stringify({ kind: 'Invalid', message: 'The address of the request is malformed.' }));
}
