import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import type { StoreSettings } from '../src/domains/assets/storage/s3/store-settings.ts';

/** A server that is given as a store, and answers as its owner likes. */
export interface HostileStore {
  readonly settings: StoreSettings;
  /** How many bytes its sockets took so far. */
  readonly sentBytes: () => number;
  /** How many connections are open. */
  readonly openCount: () => Promise<number>;
}

/** Answers a request. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts one for the length of a test. */
export async function hostileStore(answer: Answer): Promise<HostileStore> {
  let sentBytes = 0;
  const server = createServer((request, response) => {
    request.on('error', () => undefined).resume();
    answer(request, response);
  });
  server.on('connection', (socket) => socket.once('close', () => (sentBytes += socket.bytesWritten)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return {
    settings: {
      endpoint: `http://127.0.0.1:${port}`,
      bucket: 'assets',
      region: 'us-east-1',
      prefix: '',
      forcePathStyle: true,
      accessKeyId: 'AKIDHOSTILE',
      secretAccessKey: 'secret-of-the-store',
    },
    sentBytes: () => sentBytes,
    openCount: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
  };
}

/** Sends a body without end, as fast as it is taken. */
export function endlessly(response: ServerResponse, status: number, start = ''): void {
  const piece = Buffer.alloc(65_536, ' ');
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.write(start);
  const more = (): void => {
    while (!response.destroyed && response.write(piece)) continue;
  };
  response.on('drain', more);
  more();
}

/** Sends one byte after the other, without an end. */
export function trickling(response: ServerResponse, status = 200): void {
  response.writeHead(status);
  const timer = setInterval(() => response.write(' '), 5);
  response.once('close', () => clearInterval(timer));
}
