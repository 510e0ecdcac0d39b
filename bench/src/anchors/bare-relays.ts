import { startProgram, type Program } from '../processes.ts';
import type { OpenForward } from './ssh-forward.ts';

/** How many programs of ours are on the way of a forward: command line, hub and agent. */
const relayCount = 3;

/** What the programming language alone costs: as many programs as a forward passes, each of which does nothing but pass bytes on. */
export async function bareRelays(upstreamPort: number): Promise<OpenForward> {
  const relays: Program[] = [];
  let port = upstreamPort;
  for (let count = 0; count < relayCount; count += 1) {
    const relay = startProgram('bench/src/anchors/tcp-relay.ts', [String(port)]);
    relays.push(relay);
    port = Number(await relay.said(/listening (\d+)/));
  }
  return { port, stop: async () => void (await Promise.all(relays.map((relay) => relay.stop()))) };
}
