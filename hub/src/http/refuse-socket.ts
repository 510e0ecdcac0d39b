import type { Duplex } from 'node:stream';

/** How long a refused client may take to end its side. */
const endGraceMs = 5_000;

/** A plain HTTP error with a sentence, as the bytes of the whole response; the connection ends behind it. */
export function refusalOf(status: string, message: string, headers: readonly string[] = []): string {
  const body = JSON.stringify({ kind: 'Invalid', message });
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...headers,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** Sends a refusal and ends the connection. What the client still sends is read and discarded; after five seconds it is disconnected. */
export function refuseSocket(socket: Duplex, refusal: string): void {
  const grace = setTimeout(() => socket.destroy(), endGraceMs);
  socket.on('error', () => socket.destroy()).once('close', () => clearTimeout(grace));
  socket.resume();
  socket.end(refusal);
}
