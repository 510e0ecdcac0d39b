import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { MultiplexConnection, RpcClient, WebSocketTransport } from '@corral/multiplex';
import { WebSocket } from 'ws';

/** A connection whose executor channels are called. */
export interface RpcLink {
  newClient(): Promise<RpcClient>;
  close(): void;
}

/** Connects to the hub's door for devices and command lines. */
export function openRpc(hubUrl: string, headers: Record<string, string>): Promise<RpcLink> {
  return new Promise((resolve, reject) => {
    let socket: Socket | undefined;
    const url = `${hubUrl.replace('http', 'ws')}/api/v1/connect/ws`;
    const webSocket = new WebSocket(url, { headers, perMessageDeflate: false });
    webSocket.once('upgrade', (response: IncomingMessage) => (socket = response.socket));
    webSocket.once('error', reject);
    webSocket.once('open', () => {
      if (socket === undefined) return reject(new Error('no socket'));
      const transport = new WebSocketTransport(webSocket, socket);
      const connection = new MultiplexConnection({
        transport,
        now: () => performance.now(),
        pingIntervalMs: 5_000,
      });
      const ticking = setInterval(() => connection.tick(), 1_000);
      resolve({
        newClient: async () => new RpcClient(await connection.openChannel('executor')),
        close() {
          clearInterval(ticking);
          connection.close('');
        },
      });
    });
  });
}
