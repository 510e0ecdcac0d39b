import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Finds an unused port of loopback, for programs that cannot listen on port 0. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await once(server.close(), 'close');
  return port;
}
