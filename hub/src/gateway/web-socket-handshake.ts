import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { AdmissionError } from './AdmissionError.ts';

const tokenList = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:[\t ]*,[\t ]*[!#$%&'*+.^_`|~0-9A-Za-z-]+)*$/;
const keyPattern = /^[+/0-9A-Za-z]{22}==$/;
/** Fixed by RFC 6455. */
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Throws an AdmissionError for a request that does not open a WebSocket. */
export function requireWebSocketUpgrade({ method, headers }: IncomingMessage): void {
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

/** Accepts the WebSocket that `requireWebSocketUpgrade` has checked, without extensions or subprotocol; false when the client has left. */
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
