import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

/** The anchor of idle connections: a `ws` server that does nothing with them. */
const server = createServer();
const webSockets = new WebSocketServer({ server, perMessageDeflate: false, clientTracking: true });
webSockets.on('connection', (webSocket) => webSocket.on('error', () => webSocket.terminate()));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});
