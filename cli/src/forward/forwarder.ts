import type { Server, Socket } from 'node:net';
import { bridgeSocket, withoutSchedule } from '@corral/client';
import { ChannelRejection, ConnectionClosure, type Channel } from '@corral/multiplex';
import { listen } from './listen.ts';
import type { PortPair } from './port-pair.ts';
import { ReturnGrace } from './return-grace.ts';
import type { ReconnectingLink } from './reconnecting-link.ts';
import { Traffic } from './traffic.ts';

/** A local port that is forwarded to a port of a device. */
export interface ForwardedPort extends PortPair {
  readonly traffic: Traffic;
}

/** The options of a forwarder. */
export interface ForwarderOptions {
  readonly link: ReconnectingLink;
  readonly deviceId: string;
  /** Called with a sentence for every connection that failed or was aborted. */
  readonly onProblem: (port: ForwardedPort, sentence: string) => void;
  /** Stops the reports of problems. */
  readonly signal: AbortSignal;
}

/** How long a local connection waits for the link to return, or for a free channel on it. */
const maxWaitMs = 15_000;
const openTimeoutMs = 30_000;
const isFull = (error: unknown): boolean =>
  error instanceof ChannelRejection && error.message === 'connection channel limit reached';

/** Forwards connections to local ports through the hub to a device. */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #waitingForChannel: (() => void)[] = [];
  readonly #grace = new ReturnGrace();
  /** Open channels and attempts to open one. */
  #channelCount = 0;
  readonly ports: ForwardedPort[] = [];

  constructor(options: ForwarderOptions) {
    this.#options = options;
  }

  /** Listens for one more pair of ports. Rejected with a CliError. */
  async add(pair: PortPair): Promise<ForwardedPort> {
    const { server, localPort } = await listen(pair.localPort, (socket) => void this.#serve(socket, port));
    const port: ForwardedPort = { ...pair, localPort, traffic: new Traffic() };
    this.#servers.push(server);
    this.ports.push(port);
    return port;
  }

  /** Accepts no more connections and resets those that are open. */
  close(): void {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async #serve(socket: Socket, port: ForwardedPort): Promise<void> {
    const { traffic } = port;
    traffic.totalCount += 1;
    traffic.openCount += 1;
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    try {
      const channel = await this.#open(port.devicePort, AbortSignal.timeout(maxWaitMs));
      try {
        await this.#join(channel, socket, port);
      } finally {
        this.#releaseChannel();
      }
    } catch (error) {
      // A reset shows the local program that the stream is incomplete.
      socket.resetAndDestroy();
      this.#problem(port, sentenceOf(error, port));
    } finally {
      this.#sockets.delete(socket);
      traffic.openCount -= 1;
    }
  }

  async #join(channel: Channel, socket: Socket, port: ForwardedPort): Promise<void> {
    await bridgeSocket(channel, socket, port.traffic.observer);
    if (channel.resetReason !== undefined)
      this.#problem(
        port,
        `A connection to port ${port.devicePort} broke off: ${withoutSchedule(channel.resetReason)}.`,
      );
  }

  #problem(port: ForwardedPort, sentence: string): void {
    if (!this.#options.signal.aborted) this.#options.onProblem(port, sentence);
  }

  /** Opens a channel; retries until the timeout while the link is lost or has no free channel, and for a moment while the device is away. */
  async #open(devicePort: number, deadline: AbortSignal): Promise<Channel> {
    const endpoint = `device/${this.#options.deviceId}/proxy/forward/tcp/${devicePort}`;
    for (let refused = 0; ;) {
      const link = await this.#options.link.connected(deadline);
      this.#channelCount += 1;
      try {
        const channel = await link.openChannel(endpoint, { signal: AbortSignal.timeout(openTimeoutMs) });
        this.#grace.reached();
        return channel;
      } catch (error) {
        if (!isFull(error) || this.#channelCount === 1) {
          this.#releaseChannel();
          if (!(error instanceof ConnectionClosure)) await this.#grace.wait(error, refused++);
        } else {
          this.#channelCount -= 1;
          await this.#freeChannel(deadline);
        }
      }
    }
  }

  /** Waits until another connection has ended. Rejected with the signal's reason. */
  #freeChannel(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.#waitingForChannel.splice(this.#waitingForChannel.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = (): void => {
        signal.removeEventListener('abort', cancel);
        resolve();
      };
      if (signal.aborted) return reject(signal.reason);
      this.#waitingForChannel.push(enter);
      signal.addEventListener('abort', cancel, { once: true });
    });
  }

  #releaseChannel(): void {
    this.#channelCount -= 1;
    this.#waitingForChannel.shift()?.();
  }
}

function sentenceOf(error: unknown, { devicePort }: ForwardedPort): string {
  const what = `A connection to port ${devicePort} was refused`;
  if (error instanceof ChannelRejection) return `${what}: ${error.message || 'no reason was given'}.`;
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `${what}: there was no way to the device in time.`;
  return `${what}: ${error instanceof Error ? error.message : String(error)}.`;
}
