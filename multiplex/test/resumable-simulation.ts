import type { ByteStream, Channel } from '../src/channel.ts';
import { MultiplexConnection } from '../src/connection.ts';
import { settle } from './simulation.ts';
import { MemoryScheduler, MemoryTransport } from '../src/transports/memory.ts';
import { BytePool } from '../src/resumable/byte-pool.ts';
import type { Schedule } from '../src/resumable/AckScheduler.ts';
import type { ResumableStream } from '../src/resumable/ResumableStream.ts';
import { StreamAcceptor } from '../src/resumable/StreamAcceptor.ts';
import { StreamOpener } from '../src/resumable/StreamOpener.ts';

/** How the network between the two sides behaves. */
export interface Network {
  /** For each transport in turn, the number of messages after which it breaks; later transports do not break. */
  readonly cuts: readonly number[];
  readonly delayMs: number;
  /** The sizes of the parts in which data arrives, in rotation. */
  readonly parts: readonly number[];
}

const steady: Network = { cuts: [], delayMs: 1, parts: [Infinity] };

const isRevocation = (reason: string): boolean => reason === 'permission denied';

/** An opener and an acceptor with connections between them that break. */
export class ResumableSimulation {
  readonly scheduler = new MemoryScheduler(settle);
  readonly acceptor: StreamAcceptor;
  /** All streams that the acceptor has accepted. */
  readonly accepted: ResumableStream[] = [];
  readonly events: string[] = [];
  /** The acceptor's ends of all channels, in the order of their opening. */
  readonly acceptorChannels: Channel[] = [];
  /** The openers' ends of the same channels. */
  readonly openerChannels: Channel[] = [];
  readonly pool: BytePool;
  /** Whether the acceptor's program confirms streams at once. */
  isConfirming = true;
  /** While false, no channel can be reopened. */
  isReachable = true;
  network: Network;
  connectionCount = 0;
  #transport: MemoryTransport | undefined;

  constructor(network: Partial<Network> = {}, pool = new BytePool(64 * 1_048_576)) {
    this.network = { ...steady, ...network };
    this.pool = pool;
    this.acceptor = new StreamAcceptor({ pool, schedule: this.schedule, now: this.#now, isRevocation });
  }

  readonly #now = (): number => this.scheduler.nowMs;

  readonly schedule: Schedule = (run, delayMs) => {
    let isCancelled = false;
    this.scheduler.schedule(() => void (isCancelled || run()), delayMs);
    return () => void (isCancelled = true);
  };

  /** Breaks the connection. */
  cut(): void {
    this.#transport?.destroy();
  }

  /** Opens a channel to the acceptor over a connection of its own. */
  async openChannel(): Promise<Channel> {
    const { scheduler, network } = this;
    const cutAfter = network.cuts[this.connectionCount] ?? Infinity;
    this.connectionCount += 1;
    let [sent, partCount] = [0, 0];
    const [near, far] = MemoryTransport.pair({
      scheduler,
      delayMs: () => {
        sent += 1;
        if (sent === cutAfter) scheduler.schedule(() => near.destroy(), 0);
        return network.delayMs;
      },
      partBytes: () => network.parts[partCount++ % network.parts.length] ?? Infinity,
    });
    this.#transport = near;
    const now = this.#now;
    new MultiplexConnection({
      transport: far,
      now,
      onChannelRequest: (request) => {
        const channel = request.accept();
        this.acceptorChannels.push(channel);
        this.acceptor.serve(channel, (stream) => this.#accepted(stream));
      },
    });
    const channel = await new MultiplexConnection({ transport: near, now }).openChannel('resumable');
    this.openerChannels.push(channel);
    return channel;
  }

  /** Opens a stream; retries its first channel while that breaks. */
  async open(id = 1): Promise<StreamOpener> {
    const channel = await this.#untilOpened();
    return new StreamOpener(channel, {
      sessionId: new Uint8Array(16).fill(id),
      pool: this.pool,
      schedule: this.schedule,
      now: this.#now,
      isRevocation,
      reopen: async (signal) => {
        while (!signal.aborted) {
          await this.elapse(250);
          if (!this.isReachable) continue;
          const opened = await this.openChannel().catch(() => undefined);
          if (opened !== undefined) return opened;
        }
        throw new Error('there is no way back');
      },
      onInterrupted: (reason) => void this.events.push(`interrupted: ${reason}`),
      onSettled: () => void this.events.push('settled'),
    });
  }

  elapse(durationMs: number): Promise<void> {
    return new Promise((resolve) => this.scheduler.schedule(resolve, durationMs));
  }

  /** Advances the time until a promise is settled; fails after an hour. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    void promise.catch(() => undefined).finally(() => (isSettled = true));
    for (let second = 0; !isSettled; second += 1) {
      if (second > 3_600) throw new Error('no progress for an hour');
      await this.scheduler.advance(1_000);
    }
    return promise;
  }

  /** Reads a stream to its end. */
  async read(stream: ByteStream, readDelayMs = 0): Promise<Buffer> {
    const parts: Buffer[] = [];
    await stream.drain((bytes) => {
      parts.push(Buffer.from(bytes));
      return readDelayMs === 0 ? undefined : this.elapse(readDelayMs);
    });
    return Buffer.concat(parts);
  }

  async #untilOpened(): Promise<Channel> {
    for (;;) {
      const channel = await this.openChannel().catch(() => undefined);
      if (channel !== undefined) return channel;
    }
  }

  #accepted(stream: ResumableStream): void {
    this.accepted.push(stream);
    if (this.isConfirming) stream.confirm();
  }
}

/** Writes all pieces with backpressure, and ends the stream. */
export async function writeAll(stream: ByteStream, pieces: readonly Uint8Array[]): Promise<void> {
  for (const piece of pieces) await stream.writeOwned(piece);
  stream.end();
}
