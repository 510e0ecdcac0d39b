import type { DeviceStream } from './DeviceStream.ts';

interface IdleStream {
  readonly token: string;
  readonly deviceId: string;
  readonly stream: DeviceStream;
  readonly sinceMs: number;
  readonly onClose: () => void;
}

/** Short, since a device's server may accept few connections; the requests of one page follow each other quickly. */
const idleTimeoutMs = 1_000;
/** One sweep for all idle streams costs less than a timer for each. */
const sweepIntervalMs = 250;

/**
 * Keep-alive streams that wait for the next request of the same access. undici closes a stream on which the device sends or closes anything
 * while it is idle. The concurrency limit of each device bounds the pool.
 */
export class IdleStreamPool {
  /** By access token, oldest first. */
  readonly #byToken = new Map<string, IdleStream[]>();
  readonly #nowMs: () => number;
  #timer: NodeJS.Timeout | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Removes and returns the most recently used stream of this access; undefined when there is none. */
  take(token: string): DeviceStream | undefined {
    const streams = this.#byToken.get(token);
    for (let idle = streams?.pop(); idle !== undefined; idle = streams?.pop()) {
      if (streams?.length === 0) this.#byToken.delete(token);
      idle.stream.off('close', idle.onClose);
      if (!idle.stream.destroyed) return idle.stream;
    }
    return undefined;
  }

  /** Keeps a stream for up to a second. */
  add(token: string, deviceId: string, stream: DeviceStream): void {
    const onClose = (): void => this.#remove(idle);
    const idle: IdleStream = { token, deviceId, stream, sinceMs: this.#nowMs(), onClose };
    const streams = this.#byToken.get(token);
    if (streams === undefined) this.#byToken.set(token, [idle]);
    else streams.push(idle);
    stream.once('close', onClose);
    this.#timer ??= setTimeout(() => this.#sweep(), sweepIntervalMs);
  }

  /** Closes one idle stream of a device, if there is one: the oldest of some access. */
  evict(deviceId: string): void {
    for (const [oldest] of this.#byToken.values())
      if (oldest?.deviceId === deviceId) return this.#remove(oldest);
  }

  /** Closes all streams. */
  close(): void {
    clearTimeout(this.#timer);
    for (const idle of [...this.#byToken.values()].flat()) this.#remove(idle);
  }

  #sweep(): void {
    this.#timer = undefined;
    const nowMs = this.#nowMs();
    for (const idle of [...this.#byToken.values()].flat())
      if (nowMs - idle.sinceMs >= idleTimeoutMs) this.#remove(idle);
    if (this.#byToken.size > 0) this.#timer = setTimeout(() => this.#sweep(), sweepIntervalMs);
  }

  #remove(idle: IdleStream): void {
    const { token, stream } = idle;
    const others = this.#byToken.get(token)?.filter((other) => other !== idle) ?? [];
    if (others.length === 0) this.#byToken.delete(token);
    else this.#byToken.set(token, others);
    stream.close();
  }
}
