import { connect } from 'node:net';
import { expect } from 'vitest';
import type { HttpHub } from './http-hub.ts';

/** Bytes that a client announces, of which it sends only some. */
interface LeftUpload {
  readonly hub: Pick<HttpHub, 'transfers'>;
  readonly url: string;
  readonly offset: number;
  readonly bytes: Buffer;
  readonly sentBytes: number;
}

/** Sends a part of a resumable upload, breaks the connection in the middle, and resolves when the hub has noticed. */
export async function leaveUpload({ hub, url, offset, bytes, sentBytes }: LeftUpload): Promise<void> {
  const { hostname, port, pathname, search } = new URL(url);
  const headers = {
    host: hostname,
    'content-length': bytes.length,
    'tus-resumable': '1.0.0',
    'content-type': 'application/offset+octet-stream',
    'upload-offset': offset,
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`PATCH ${pathname}${search} HTTP/1.1\r\n${head.join('')}\r\n`);
  await new Promise<void>((resolve) => socket.write(bytes.subarray(0, sentBytes), () => resolve()));
  await expect.poll(() => hub.transfers.counts.uploads).toBe(1);
  socket.destroySoon();
  await expect.poll(() => hub.transfers.counts.uploads).toBe(0);
}
