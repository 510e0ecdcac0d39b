import { connect, type Socket } from 'node:net';
import { expect } from 'vitest';
import { tusPart } from './asset-scene.ts';
import type { HttpHub } from './http-hub.ts';

/** Bytes that a client announces, of which it sends only some. */
interface SentPart {
  readonly url: string;
  readonly method?: 'PUT' | 'PATCH';
  /** Of a PATCH. */
  readonly offset?: number;
  /** How many are announced; undefined for none. */
  readonly length: number | undefined;
  readonly sent: Buffer;
}

/** Sends the head of an upload and a part of its body; the connection stays open. */
export function sendPart({ url, method = 'PUT', offset = 0, length, sent }: SentPart): Promise<Socket> {
  const { hostname, port, pathname, search } = new URL(url);
  const headers = {
    host: hostname,
    ...(length === undefined ? {} : { 'content-length': length }),
    ...(method === 'PUT' ? {} : tusPart(offset)),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return new Promise((resolve) => socket.write(sent, () => resolve(socket)));
}

/** Sends a part of a resumable upload, breaks the connection in the middle, and resolves when the hub has noticed. */
export async function leavePart({ transfers }: Pick<HttpHub, 'transfers'>, part: SentPart): Promise<void> {
  const socket = await sendPart({ method: 'PATCH', ...part });
  await expect.poll(() => transfers.counts.uploads).toBe(1);
  socket.destroySoon();
  await expect.poll(() => transfers.counts.uploads).toBe(0);
}
