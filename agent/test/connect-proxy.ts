import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** A proxy of an office network, which leads wherever it is asked to. */
export interface ConnectProxy extends AsyncDisposable {
  /** Its address, with the name and password of whoever may use it. */
  readonly url: string;
  /** Where it was asked to lead, and with which credentials. */
  readonly asked: string[];
}

/** Starts a proxy on a free port of loopback. */
export async function connectProxy(): Promise<ConnectProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', ({ url = '', headers }, near: Socket) => {
    asked.push(`${url} ${headers['proxy-authorization']}`);
    const { hostname, port } = new URL(`http://${url}`);
    const far = connect({ host: hostname, port: Number(port) }, () => {
      near.write('HTTP/1.1 200 Connection established\r\n\r\n');
      near.pipe(far).pipe(near);
    });
    sockets.add(far);
    for (const socket of [near, far]) socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://device:secret@127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
