import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** An HTTP proxy that supports CONNECT to any target. */
export interface ConnectProxy extends AsyncDisposable {
  /** Its address with name and password. */
  readonly url: string;
  /** The requested targets with their credentials. */
  readonly requested: string[];
  /** By which it answers; 200 connects. */
  status: number;
}

/** Starts a proxy on a free port of loopback. */
export async function connectProxy(): Promise<ConnectProxy> {
  const requested: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', ({ url = '', headers }, near: Socket) => {
    requested.push(`${url} ${headers['proxy-authorization']}`);
    if (proxy.status !== 200) return near.end(`HTTP/1.1 ${proxy.status} No\r\n\r\n`);
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
  const proxy: ConnectProxy = {
    status: 200,
    url: `http://device:secret@127.0.0.1:${(server.address() as AddressInfo).port}`,
    requested,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
