import type { Server, Socket } from 'node:net';
import { bridgeSocket } from '@corral/client';
import { ChannelRejection, ConnectionClosure, type Channel } from '@corral/multiplex';
import { listen } from './listen.ts';
import type { PortPair } from './port-pair.ts';
import type { ReconnectingLink } from './reconnecting-link.ts';
import { Traffic } from './traffic.ts';

/** A local port that leads to a port of a device. */
export interface Forwarded extends PortPair {
  readonly traffic: Traffic;
}

/** What a forwarder works with. */
export interface ForwarderParts {
  readonly link: ReconnectingLink;
  readonly deviceId: string;
  /** Told of every connection that did not come about or broke off, in a sentence. */
  readonly onProblem: (port: Forwarded, sentence: string) => void;
  /** From when on nobody needs to hear of problems. */
  readonly signal: AbortSignal;
}

/** How long a local connection waits for the link to come back, or for room on it. */
const holdMs = 15_000;
const openTimeoutMs = 30_000;
const isFull = (error: unknown): boolean =>
  error instanceof ChannelRejection && error.message === 'connection channel limit reached';

/** Leads connections to local ports through the hub to a device. */
export class Forwarder {
  readonly #parts: ForwarderParts;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #waitingForRoom: (() => void)[] = [];
  /** Channels that are open, and tries to open one. */
  #channelCount = 0;
  readonly ports: Forwarded[] = [];

  constructor(parts: ForwarderParts) {
    this.#parts = parts;
  }

  /** Listens for one more pair of ports. Rejected with a CliError. */
  async add(pair: PortPair): Promise<Forwarded> {
    const { server, localPort } = await listen(pair.localPort, (socket) => void this.#serve(socket, port));
    const port: Forwarded = { ...pair, localPort, traffic: new Traffic() };
    this.#servers.push(server);
    this.ports.push(port);
    return port;
  }

  /** Takes no more connections and breaks off those that are open. */
  close(): void {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async #serve(socket: Socket, port: Forwarded): Promise<void> {
    const { traffic } = port;
    traffic.totalCount += 1;
    traffic.openCount += 1;
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    try {
      const channel = await this.#open(port.devicePort, AbortSignal.timeout(holdMs));
      try {
        await this.#join(channel, socket, port);
      } finally {
        this.#leave();
      }
    } catch (error) {
      // Whoever connected hears that it is no end in good order.
      socket.resetAndDestroy();
      this.#problem(port, sentenceOf(error, port));
    } finally {
      this.#sockets.delete(socket);
      traffic.openCount -= 1;
    }
  }

  async #join(channel: Channel, socket: Socket, port: Forwarded): Promise<void> {
    await bridgeSocket(channel, socket, port.traffic.watch);
    if (channel.resetReason !== undefined)
      this.#problem(port, `A connection to port ${port.devicePort} broke off: ${channel.resetReason}.`);
  }

  #problem(port: Forwarded, sentence: string): void {
    if (!this.#parts.signal.aborted) this.#parts.onProblem(port, sentence);
  }

  /** Opens a channel; one that the link was lost under, or that found no room, is tried again while there is time. */
  async #open(devicePort: number, hold: AbortSignal): Promise<Channel> {
    const endpoint = `device/${this.#parts.deviceId}/proxy/forward/tcp/${devicePort}`;
    for (;;) {
      const link = await this.#parts.link.connected(hold);
      this.#channelCount += 1;
      try {
        return await link.openChannel(endpoint, { signal: AbortSignal.timeout(openTimeoutMs) });
      } catch (error) {
        if (!isFull(error) || this.#channelCount === 1) {
          this.#leave();
          if (!(error instanceof ConnectionClosure)) throw error;
        } else {
          this.#channelCount -= 1;
          await this.#room(hold);
        }
      }
    }
  }

  /** Waits until another connection is over. Rejected with the signal's reason. */
  #room(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waitingForRoom.splice(this.#waitingForRoom.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      if (signal.aborted) return reject(signal.reason);
      this.#waitingForRoom.push(enter);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  #leave(): void {
    this.#channelCount -= 1;
    this.#waitingForRoom.shift()?.();
  }
}

function sentenceOf(error: unknown, { devicePort }: Forwarded): string {
  const what = `A connection to port ${devicePort} was refused`;
  if (error instanceof ChannelRejection) return `${what}: ${error.message || 'no reason was given'}.`;
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `${what}: there was no way to the device in time.`;
  return `${what}: ${error instanceof Error ? error.message : String(error)}.`;
}
