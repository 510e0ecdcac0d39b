import { once } from 'node:events';
import { createServer } from 'node:net';

/** The range below the ephemeral ports of systems, so that no connection takes the port of a stopped program. */
const [minPort, endPort] = [10_000, 32_768];

/** Different free ports of loopback, for programs that cannot listen on port 0. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const port = minPort + Math.floor(Math.random() * (endPort - minPort));
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

/** A free port of loopback; see `freePorts`. */
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
