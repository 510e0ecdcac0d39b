import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ActionError, errorKinds } from '@corral/contract';
import { AdmissionError } from './AdmissionError.ts';

/** Turns the error of a failed admission into the HTTP error for the client. */
export function admissionErrorOf(error: unknown): AdmissionError {
  if (error instanceof AdmissionError) return error;
  if (error instanceof ActionError) {
    const { status, wireKind } = errorKinds[error.kind];
    return new AdmissionError(status, wireKind, error.message, error.retryAfterSecs);
  }
  return new AdmissionError(500, 'Internal', 'Something went wrong in the hub.');
}

/** How long a refused client may take to end its side. */
const endGraceMs = 5_000;

/** Answers an upgrade with a plain HTTP error and ends the connection; a client that keeps its side open is disconnected. */
export function refuseUpgrade(socket: Duplex, error: AdmissionError): void {
  const body = JSON.stringify({ kind: error.kind, message: error.message });
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? 'Error'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...(error.retryAfterSecs === undefined ? [] : [`Retry-After: ${error.retryAfterSecs}`]),
  ];
  const grace = setTimeout(() => socket.destroy(), endGraceMs);
  socket.on('error', () => socket.destroy()).once('close', () => clearTimeout(grace));
  socket.resume();
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
