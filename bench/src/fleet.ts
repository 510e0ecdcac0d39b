import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { MultiplexConnection, WebSocketTransport } from '@corral/multiplex';
import { WebSocket } from 'ws';

/** What the fleet is told on its first line. */
export interface FleetOrder {
  readonly url: string;
  /** Headers that all links share. */
  readonly headers: Record<string, string>;
  /** One link each; the value of X-Device-Fingerprint. */
  readonly fingerprints: readonly string[];
  /** Bare WebSockets speak no protocol at all. */
  readonly isBare: boolean;
}

const connections: MultiplexConnection[] = [];

function connect(order: FleetOrder, fingerprint: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let socket: Socket | undefined;
    const headers = { ...order.headers, 'x-device-fingerprint': fingerprint };
    const webSocket = new WebSocket(order.url, { headers, perMessageDeflate: false });
    webSocket.once('upgrade', (response: IncomingMessage) => (socket = response.socket));
    webSocket.once('error', reject);
    webSocket.once('open', () => {
      if (!order.isBare && socket !== undefined) {
        const transport = new WebSocketTransport(webSocket, socket);
        connections.push(
          new MultiplexConnection({ transport, now: () => performance.now(), pingIntervalMs: 5_000 }),
        );
      }
      resolve();
    });
  });
}

/** The hub lets in so many a second; whoever is told to come back does so. */
async function connectPatiently(order: FleetOrder, fingerprint: string): Promise<void> {
  for (;;) {
    try {
      return await connect(order, fingerprint);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('503')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

for await (const line of createInterface(process.stdin)) {
  const order = JSON.parse(line) as FleetOrder;
  const queue = order.fingerprints.values();
  const worker = async (): Promise<void> => {
    for (const fingerprint of queue) await connectPatiently(order, fingerprint);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  setInterval(() => connections.forEach((connection) => connection.tick()), 1_000);
  process.stdout.write(`connected ${order.fingerprints.length}\n`);
}
