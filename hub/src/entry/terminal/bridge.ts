import type { ChannelPort } from './ChannelPort.ts';
import { sayEnded } from './TerminalHost.ts';
import type { TerminalPort } from './TerminalPort.ts';

/** What waits for a client until the other node does. */
const maxWaitingBytes = 256 * 1024;

/** Joins a client of this node with the node that serves its terminal. When that node is gone, the terminal has ended. */
export function bridge(client: TerminalPort, host: ChannelPort): void {
  let hasEnded = false;
  const toClient = new Room();
  const toHost = new Room();
  host.attach({
    onFrame(message) {
      client.send(message);
      return client.waitingBytes < maxWaitingBytes ? undefined : toClient.wait();
    },
    onText(text) {
      const violation = violationIn(text);
      hasEnded ||= text.startsWith('{"type":"Ended"') || violation !== undefined;
      if (violation === undefined) client.send(text);
      else client.close(violation);
      return undefined;
    },
    onDrain: () => toHost.free(),
    onClosed() {
      toHost.free();
      if (hasEnded) client.close();
      else sayEnded(client, 'HubStopped');
    },
  });
  const pass = (message: Uint8Array | string): Promise<void> | undefined => {
    host.send(message);
    return host.waitingBytes < maxWaitingBytes ? undefined : toHost.wait();
  };
  client.attach({
    onFrame: pass,
    onText: pass,
    onDrain: () => toClient.free(),
    onClosed() {
      hasEnded = true;
      toClient.free();
      host.close();
    },
  });
}

function violationIn(text: string): string | undefined {
  if (!text.startsWith('{"type":"Violation"')) return undefined;
  return String((JSON.parse(text) as { reason?: unknown }).reason ?? '');
}

/** Lets one side wait for the other. */
class Room {
  #waiting: PromiseWithResolvers<void> | undefined;

  wait(): Promise<void> {
    this.#waiting ??= Promise.withResolvers();
    return this.#waiting.promise;
  }

  free(): void {
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }
}
