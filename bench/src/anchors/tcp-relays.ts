import { startProgram, type Program } from '../processes.ts';
import type { OpenForward } from './ssh-forward.ts';

/** The programs on the path of a forward: command line, hub and agent. */
const relayCount = 3;

/** The anchor for the cost of Node itself: as many programs as a forward passes through, each of which only relays bytes. */
export async function tcpRelays(upstreamPort: number): Promise<OpenForward> {
  const relays: Program[] = [];
  let port = upstreamPort;
  for (let count = 0; count < relayCount; count += 1) {
    const relay = startProgram('bench/src/anchors/tcp-relay.ts', [String(port)]);
    relays.push(relay);
    port = Number(await relay.waitForLine(/listening (\d+)/));
  }
  return { port, stop: async () => void (await Promise.all(relays.map((relay) => relay.stop()))) };
}
