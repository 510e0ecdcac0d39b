import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../config/config.ts';
import type { HttpServer, ListeningAt } from '../entry/http/http-server.ts';

/** Starts listening. Rejects with an Error with one sentence for the operator. */
export async function listen(http: HttpServer, { host, port }: Config): Promise<ListeningAt> {
  try {
    return await http.listen();
  } catch (error) {
    throw listenError(error, 'CORRAL', host, port);
  }
}

/** Rejects as `listen` would, if nothing can listen there now. */
export async function mustHaveFreePort({ host, port }: Config): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen({ host, port, exclusive: true }), 'listening');
  } catch (error) {
    throw listenError(error, 'CORRAL', host, port);
  }
  server.close();
  await once(server, 'close');
}

/** An Error with one sentence for the operator that names the settings `PREFIX_HOST` and `PREFIX_PORT`. */
export function listenError(error: unknown, prefix: string, host: string, port: number): Error {
  return new Error(listenMessage(error, prefix, host, port), { cause: error });
}

function listenMessage(error: unknown, prefix: string, host: string, port: number): string {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE')
    return `${prefix}_PORT: port ${port} on ${host} is taken by another program; choose another port.`;
  if (code === 'EACCES')
    return `${prefix}_PORT: this user may not listen on port ${port}; choose one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${prefix}_HOST: this machine has no address ${host}.`;
  return `${prefix}_HOST and ${prefix}_PORT: the hub cannot listen on ${host}, port ${port}: ${(error as Error).message}.`;
}
