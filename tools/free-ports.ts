import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections and to who listens on port 0: none of them is lost while a program is stopped. */
const [leastPort, endPort] = [10_000, 32_768];

/** Ports of loopback that were free a moment ago, all different, for programs that cannot listen on port 0. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = leastPort + Math.floor(Math.random() * (endPort - leastPort));
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

/** One of them. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error('There is no free port.');
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}
