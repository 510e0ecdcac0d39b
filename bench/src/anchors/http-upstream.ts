import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A device's web server: a large file at `/large`, a small page at any other path. */
const page = Buffer.alloc(1_024, 'corral ');
const block = Buffer.alloc(256 * 1024, 'corral ');
const blocks = 256;

const server = createServer((request, response) => {
  if (request.url !== '/large') {
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': page.length }).end(page);
    return;
  }
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': blocks * block.length,
  });
  let left = blocks;
  const more = (): void => {
    for (; left > 0 && !response.destroyed; left -= 1) {
      if (!response.write(block)) {
        left -= 1;
        return;
      }
    }
    response.end();
  };
  response.on('drain', more);
  more();
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
