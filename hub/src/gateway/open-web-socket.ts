import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { AdmissionError } from './AdmissionError.ts';

const tokens = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:[\t ]*,[\t ]*[!#$%&'*+.^_`|~0-9A-Za-z-]+)*$/;
const keyForm = /^[+/0-9A-Za-z]{22}==$/;
/** Fixed by RFC 6455. */
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Refuses what is no opening of a WebSocket, before anything is done for it. Throws an AdmissionError. */
export function mustOpenWebSocket({ method, headers }: IncomingMessage): void {
  if (method !== 'GET') throw malformed('The request must be a GET.');
  if (headers.upgrade?.toLowerCase() !== 'websocket')
    throw malformed('The header Upgrade must be websocket.');
  if (headers['sec-websocket-version'] !== '13')
    throw malformed('The header Sec-WebSocket-Version must be 13.');
  if (!keyForm.test(headers['sec-websocket-key'] ?? ''))
    throw malformed('The header Sec-WebSocket-Key must be 16 bytes in base64.');
  if (!tokens.test(headers['sec-websocket-protocol'] ?? 'none'))
    throw malformed('The header Sec-WebSocket-Protocol must be a list of names.');
}

/** Opens the WebSocket that `mustOpenWebSocket` has seen, without extensions or subprotocol; false when the client has left meanwhile. */
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
