import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ConnectError, openLink, Ticker, type LinkSocket } from '@corral/client';
import { WebSocket } from 'ws';

/** What the fleet is told on its first line. */
export interface FleetOrder {
  /** The hub's origin, or the address of a bare server. */
  readonly url: string;
  /** Headers that all links share. */
  readonly headers: Record<string, string>;
  /** One link each; the value of X-Device-Fingerprint. */
  readonly fingerprints: readonly string[];
  /** Bare WebSockets speak no protocol at all. */
  readonly isBare: boolean;
}

const ticker = new Ticker();

async function connect(order: FleetOrder, fingerprint: string): Promise<void> {
  const headers = { ...order.headers, 'x-device-fingerprint': fingerprint };
  if (order.isBare) return connectBare(order.url, headers);
  const createSocket = (url: string, form: object) => new WebSocket(url, form) as LinkSocket;
  ticker.add(await openLink({ hubUrl: order.url, headers, createSocket }));
}

async function connectBare(url: string, headers: Record<string, string>): Promise<void> {
  await once(new WebSocket(url, { headers, perMessageDeflate: false }), 'open');
}

/** The hub lets in so many a second; whoever is told to come back does so. */
async function connectPatiently(order: FleetOrder, fingerprint: string): Promise<void> {
  for (;;) {
    try {
      return await connect(order, fingerprint);
    } catch (error) {
      if (!(error instanceof ConnectError) || error.status !== 503) throw error;
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
  process.stdout.write(`connected ${order.fingerprints.length}\n`);
}
