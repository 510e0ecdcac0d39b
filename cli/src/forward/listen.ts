import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { CliError } from '../CliError.ts';

/** The only address that is listened on: the loopback of this machine. */
export const localHost = '127.0.0.1';

const sentences: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be listened on by this user: choose one above 1023',
};

/** Listens on a local port. Rejected with a CliError. */
export async function listen(
  port: number,
  onConnection: (socket: Socket) => void,
): Promise<{ server: Server; localPort: number }> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, onConnection);
  server.listen(port, localHost);
  try {
    await once(server, 'listening');
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    throw new CliError(`Port ${port} of this machine ${sentences[code] ?? `fails: ${message}`}.`, undefined, {
      cause,
    });
  }
  return { server, localPort: (server.address() as AddressInfo).port };
}
