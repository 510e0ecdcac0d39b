import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message that a receiver got. */
interface Received {
  readonly atMs: number;
  readonly type: string;
  readonly data: { readonly ruleName: string; readonly count: number; readonly resolvedCount: number };
}

/** A receiver of webhooks that notes when what came. */
export async function startReceiver() {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += String(piece);
    received.push({ atMs: performance.now(), ...(JSON.parse(body) as Omit<Received, 'atMs'>) });
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
