import type { Server, Socket } from 'node:net';
import { bridgeSocket, withoutSchedule } from '@corral/client';
import { ChannelRejection } from '@corral/multiplex';
import { ChannelOpener } from './channel-opener.ts';
import type { ForwardView } from './forward-view.ts';
import { listen } from './listen.ts';
import type { PortPair } from './port-pair.ts';
import type { ReconnectingLink } from './reconnecting-link.ts';
import { StreamSource, type OpenedStream, type StreamObserver } from './stream-source.ts';
import { Traffic } from './traffic.ts';

/** A local port that is forwarded to a port of a device. */
export interface ForwardedPort extends PortPair {
  readonly traffic: Traffic;
}

/** The options of a forwarder. */
export interface ForwarderOptions {
  readonly link: ReconnectingLink;
  readonly deviceId: string;
  readonly view: Pick<ForwardView, 'onProblem' | 'onInterrupted' | 'onResumed'>;
  /** Ends the open connections, and the reports to the view. */
  readonly signal: AbortSignal;
}

/** How long a local connection waits for the link to return, or for a free channel on it. */
const maxWaitMs = 15_000;
const stopReason = 'the command line is stopping';

/** Forwards connections to local ports through the hub to a device. */
export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #streams: StreamSource;
  #isClosed = false;
  readonly ports: ForwardedPort[] = [];

  constructor(options: ForwarderOptions) {
    const { link, deviceId, signal } = options;
    this.#options = options;
    this.#streams = new StreamSource(link, new ChannelOpener(link), deviceId);
    // While there is still a link that tells the device; the end of the link alone would let it wait.
    signal.addEventListener('abort', () => this.#streams.close(stopReason), { once: true });
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
    this.#isClosed = true;
    for (const server of this.#servers) server.close();
    this.#streams.close(stopReason);
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  async #serve(socket: Socket, port: ForwardedPort): Promise<void> {
    const { traffic } = port;
    traffic.totalCount += 1;
    traffic.openCount += 1;
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    try {
      const deadline = AbortSignal.timeout(maxWaitMs);
      const opened = await this.#streams.open(port.devicePort, deadline, this.#observe(port));
      await this.#join(opened, socket, port);
    } catch (error) {
      // A reset shows the local program that the stream is incomplete.
      socket.resetAndDestroy();
      this.#problem(port, messageOf(error, port));
    } finally {
      this.#sockets.delete(socket);
      traffic.openCount -= 1;
    }
  }

  async #join({ stream, wasAccepted }: OpenedStream, socket: Socket, port: ForwardedPort): Promise<void> {
    await bridgeSocket(stream, socket, port.traffic.observer);
    if (stream.resetReason === undefined) return;
    const what = wasAccepted() ? 'broke off' : 'was refused';
    // Agents begin some reasons with what the sentence says already.
    const reason = withoutSchedule(stream.resetReason).replace(/^connection refused: /, '');
    this.#problem(port, `A connection to port ${port.devicePort} ${what}: ${reason}.`);
  }

  /** Reports when the first connection of a port is interrupted, and when the last one has resumed. */
  #observe(port: ForwardedPort): StreamObserver {
    const { view } = this.#options;
    const { traffic } = port;
    return {
      onInterrupted: (reason) => {
        traffic.waitingCount += 1;
        if (traffic.waitingCount === 1) view.onInterrupted(port, withoutSchedule(reason));
      },
      onSettled: (isResumed) => {
        traffic.waitingCount -= 1;
        if (traffic.waitingCount === 0 && isResumed && !this.#isClosed) view.onResumed(port);
      },
    };
  }

  #problem(port: ForwardedPort, sentence: string): void {
    if (!this.#isClosed && !this.#options.signal.aborted) this.#options.view.onProblem(port, sentence);
  }
}

function messageOf(error: unknown, { devicePort }: ForwardedPort): string {
  const what = `A connection to port ${devicePort} was refused`;
  if (error instanceof ChannelRejection) return `${what}: ${error.message || 'no reason was given'}.`;
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return `${what}: there was no way to the device in time.`;
  return `${what}: ${error instanceof Error ? error.message : String(error)}.`;
}
