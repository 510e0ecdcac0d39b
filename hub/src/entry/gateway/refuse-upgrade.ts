import { hash } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ActionError, type ErrorReason, errorKinds, type WireErrorKind } from '@corral/contract';

/** Why a connection is refused: an HTTP response instead of the upgrade. */
export class AdmissionError extends Error {
  readonly status: number;
  readonly kind: WireErrorKind;
  readonly retryAfterSecs: number | undefined;
  /** Sent in a header: clients of 2025 may refuse a third field in the body. */
  readonly failure: ErrorReason['kind'] | undefined;

  constructor(
    status: number,
    kind: WireErrorKind,
    message: string,
    retryAfterSecs?: number,
    failure?: ErrorReason['kind'],
  ) {
    super(message);
    this.name = 'AdmissionError';
    this.status = status;
    this.kind = kind;
    this.retryAfterSecs = retryAfterSecs;
    this.failure = failure;
  }
}

/** A certificate header from an untrusted address. It goes to the audit log, since clients do not send it by accident. */
export class UntrustedHeaderError extends AdmissionError {
  constructor() {
    super(400, 'Invalid', 'The header X-Client-Cert is not accepted from this address.');
    this.name = 'UntrustedHeaderError';
  }
}

/** Turns the error of a failed admission into the HTTP error for the client. */
export function admissionErrorOf(error: unknown): AdmissionError {
  if (error instanceof AdmissionError) return error;
  if (error instanceof ActionError) {
    const { kind, message, retryAfterSecs, reason } = error;
    const { status, wireKind } = errorKinds[kind];
    return new AdmissionError(status, wireKind, message, retryAfterSecs, reason?.kind);
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
    ...(error.failure === undefined ? [] : [`X-Corral-Failure: ${error.failure}`]),
  ];
  const grace = setTimeout(() => socket.destroy(), endGraceMs);
  socket.on('error', () => socket.destroy()).once('close', () => clearTimeout(grace));
  socket.resume();
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

const tokenList = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:[\t ]*,[\t ]*[!#$%&'*+.^_`|~0-9A-Za-z-]+)*$/;
const keyPattern = /^[+/0-9A-Za-z]{22}==$/;
/** Fixed by RFC 6455. */
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Throws an AdmissionError for a request that does not open a WebSocket. */
export function mustBeWebSocketUpgrade({ method, headers }: IncomingMessage): void {
  if (method !== 'GET') throw malformed('The request must be a GET.');
  if (headers.upgrade?.toLowerCase() !== 'websocket')
    throw malformed('The header Upgrade must be websocket.');
  if (headers['sec-websocket-version'] !== '13')
    throw malformed('The header Sec-WebSocket-Version must be 13.');
  if (!keyPattern.test(headers['sec-websocket-key'] ?? ''))
    throw malformed('The header Sec-WebSocket-Key must be 16 bytes in base64.');
  if (!tokenList.test(headers['sec-websocket-protocol'] ?? 'none'))
    throw malformed('The header Sec-WebSocket-Protocol must be a list of names.');
}

/** Accepts the WebSocket that `mustBeWebSocketUpgrade` has checked, without extensions or subprotocol; false when the client has left. */
export function openWebSocket({ headers }: IncomingMessage, socket: Socket, head: Buffer): boolean {
  if (!socket.readable || !socket.writable) {
    socket.destroy();
    return false;
  }
  const accept = hash('sha1', `${headers['sec-websocket-key']}${acceptSuffix}`, 'base64');
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  socket.write([...lines, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'));
  if (head.length > 0) socket.unshift(head);
  return true;
}

function malformed(sentence: string): AdmissionError {
  return new AdmissionError(400, 'Invalid', sentence);
}
