import { once, setMaxListeners } from 'node:events';
import { createInterface } from 'node:readline';
import { request } from 'node:http';
import { keepConnected, openLink } from '@corral/client';
import type { MultiplexConnection } from '@corral/multiplex';
import { WebSocket } from 'ws';

/** What the fleet is told on a line. */
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

const forEver = new AbortController().signal;
setMaxListeners(0, forEver);

/** Connects as a bare WebSocket, or as agents do: with their waits, and again whenever the link is lost. Fulfilled once it is connected for the first time. */
function connect(order: FleetOrder, fingerprint: string): Promise<void> {
  const headers = { ...order.headers, 'x-device-fingerprint': fingerprint };
  if (order.isBare) return connectBare(order.url, headers);
  return new Promise((resolve, reject) => {
    keepConnected<MultiplexConnection>({
      signal: forEver,
      stopReason: '',
      open: () => openLink({ hubUrl: order.url, headers, request, info: 'corral-agent/bench' }),
      onConnected(link) {
        resolve();
        // A clock of its own for each, as of devices that know nothing of each other: they do not ping in chorus.
        const ticking = setInterval(() => link.tick(), 1_000);
        count(1);
        void link.closed.then(() => {
          clearInterval(ticking);
          count(-1);
        });
      },
      onWaiting: () => undefined,
    }).catch(reject);
  });
}

async function connectBare(url: string, headers: Record<string, string>): Promise<void> {
  await once(new WebSocket(url, { headers, perMessageDeflate: false }), 'open');
}

let openCount = 0;
let toldAt = 0;

/** Tells how many links are open, at most ten times a second. */
function count(change: number): void {
  openCount += change;
  const now = Date.now();
  if (toldAt > now) return;
  const delayMs = Math.max(0, toldAt + 100 - now);
  toldAt = now + delayMs;
  setTimeout(() => process.stdout.write(`open ${openCount} at ${Date.now()}\n`), delayMs);
}

for await (const line of createInterface(process.stdin)) {
  const order = JSON.parse(line) as FleetOrder;
  const queue = order.fingerprints.values();
  const worker = async (): Promise<void> => {
    for (const fingerprint of queue) await connect(order, fingerprint);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  process.stdout.write(`connected ${order.fingerprints.length}\n`);
}
