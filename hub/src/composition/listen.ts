import type { Config } from '../config/config.ts';
import type { HttpServer, ListeningAt } from '../http/http-server.ts';

/** Starts listening. Rejects with an Error with one sentence for the operator. */
export async function listen(http: HttpServer, { host, port }: Config): Promise<ListeningAt> {
  try {
    return await http.listen();
  } catch (error) {
    throw new Error(listenSentence(error, host, port), { cause: error });
  }
}

function listenSentence(error: unknown, host: string, port: number): string {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE')
    return `CORRAL_PORT: port ${port} on ${host} is taken by another program; choose another port.`;
  if (code === 'EACCES')
    return `CORRAL_PORT: this user may not listen on port ${port}; choose one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `CORRAL_HOST: this machine has no address ${host}.`;
  return `CORRAL_HOST and CORRAL_PORT: the hub cannot listen on ${host}, port ${port}: ${(error as Error).message}.`;
}
