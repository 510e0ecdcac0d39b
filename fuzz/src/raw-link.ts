import { connect, type Socket } from 'node:net';

const key = 'dGhlIHNhbXBsZSBub25jZQ==';

/** An upgrade request with these additional headers. */
function requestOf(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const first = ['GET /api/v1/connect/ws HTTP/1.1', 'Host: localhost', ...upgrade];
  return [...first, `Sec-WebSocket-Key: ${key}`, ...lines, '', ''].join('\r\n');
}

/** Opens an upgraded socket for raw WebSocket frames; returns the hub's response as text where it refuses. */
export async function openRaw(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<Socket | string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  socket.on('error', () => socket.destroy());
  socket.write(requestOf(headers));
  const answer = await new Promise<unknown>((resolve) => socket.once('data', resolve).once('close', resolve));
  const text = Buffer.isBuffer(answer) ? answer.toString() : 'closed without an answer';
  if (text.startsWith('HTTP/1.1 101 ')) return socket;
  socket.destroy();
  return text;
}

/** A WebSocket message of a client, masked with zeros; `lengthBytes` overrides the announced length. */
export function onTheWire(opcode: number, payload: Uint8Array, lengthBytes = payload.length): Buffer {
  const head = Buffer.alloc(lengthBytes < 126 ? 6 : lengthBytes < 65_536 ? 8 : 14);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (lengthBytes < 126 ? lengthBytes : lengthBytes < 65_536 ? 126 : 127);
  if (head.length === 8) head.writeUInt16BE(lengthBytes, 2);
  if (head.length === 14) head.writeBigUInt64BE(BigInt(lengthBytes), 2);
  return Buffer.concat([head, payload]);
}
