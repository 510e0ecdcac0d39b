import { once, setMaxListeners } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { keepConnected, openLink } from '@corral/client';
import type { MultiplexConnection } from '@corral/multiplex';
import { WebSocket } from 'ws';

/** One line of JSON on standard input: connections to open. */
export interface FleetCommand {
  /** The hub's origin, or the address of a plain WebSocket server. */
  readonly url: string;
  /** Headers of all connections. */
  readonly headers: Record<string, string>;
  /** One connection each; the value of X-Device-Fingerprint. */
  readonly fingerprints: readonly string[];
  /** True for plain WebSockets without the multiplexing protocol. */
  readonly isPlainWebSocket: boolean;
}

const neverAborted = new AbortController().signal;
setMaxListeners(0, neverAborted);

/** Connects a plain WebSocket, or as agents do, with backoff and reconnects. Resolves after the first connection. */
function connect(command: FleetCommand, fingerprint: string): Promise<void> {
  const headers = { ...command.headers, 'x-device-fingerprint': fingerprint };
  if (command.isPlainWebSocket) return connectPlainWebSocket(command.url, headers);
  return new Promise((resolve, reject) => {
    keepConnected<MultiplexConnection>({
      signal: neverAborted,
      stopReason: '',
      open: () => openLink({ hubUrl: command.url, headers, request, info: 'corral-agent/bench' }),
      onConnected(link) {
        resolve();
        // Each connection has its own timer, so that pings are spread out as those of separate devices.
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

async function connectPlainWebSocket(url: string, headers: Record<string, string>): Promise<void> {
  await once(new WebSocket(url, { headers, perMessageDeflate: false }), 'open');
}

let openCount = 0;
let reportedAt = 0;

/** Reports the number of open connections, at most ten times a second. */
function count(change: number): void {
  openCount += change;
  const now = Date.now();
  if (reportedAt > now) return;
  const delayMs = Math.max(0, reportedAt + 100 - now);
  reportedAt = now + delayMs;
  setTimeout(() => process.stdout.write(`open ${openCount} at ${Date.now()}\n`), delayMs);
}

for await (const line of createInterface(process.stdin)) {
  const command = JSON.parse(line) as FleetCommand;
  const queue = command.fingerprints.values();
  const worker = async (): Promise<void> => {
    for (const fingerprint of queue) await connect(command, fingerprint);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  process.stdout.write(`connected ${command.fingerprints.length}\n`);
}
// Whoever started it has ended, or has failed before it could stop this.
process.exit();
