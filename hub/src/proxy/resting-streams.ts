import type { DeviceStream } from './device-stream.ts';

interface Resting {
  readonly token: string;
  readonly deviceId: string;
  readonly stream: DeviceStream;
  readonly sinceMs: number;
}

/** How long a stream waits for the next request: a browser's come close together, and a device's server may have few places. */
const restMs = 1_000;
/** How often those are looked for that have rested long enough: a timer for each costs more than the rest. */
const lookEveryMs = 250;

/**
 * Streams whose request was answered in full, for the next request of the same access. A device that says or ends anything meanwhile ends
 * the stream.
 */
export class RestingStreams {
  /** By access, those that have rested longest first. */
  readonly #resting = new Map<string, Resting[]>();
  readonly #nowMs: () => number;
  #timer: NodeJS.Timeout | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** The stream of this access that has rested shortest, if any; it belongs to the caller from then on. */
  take(token: string): DeviceStream | undefined {
    const line = this.#resting.get(token);
    for (let found = line?.pop(); found !== undefined; found = line?.pop()) {
      if (line?.length === 0) this.#resting.delete(token);
      if (!found.stream.hasStirred) return found.stream;
      found.stream.end();
    }
    return undefined;
  }

  /** Keeps a stream for a while. */
  add(token: string, deviceId: string, stream: DeviceStream): void {
    const resting: Resting = { token, deviceId, stream, sinceMs: this.#nowMs() };
    const line = this.#resting.get(token);
    if (line === undefined) this.#resting.set(token, [resting]);
    else line.push(resting);
    stream.rest(() => this.#end(resting));
    this.#timer ??= setTimeout(() => this.#look(), lookEveryMs);
  }

  /** Ends a stream of a device, if any rests: of one access the one that has rested longest. */
  evict(deviceId: string): void {
    for (const [oldest] of this.#resting.values())
      if (oldest?.deviceId === deviceId) return this.#end(oldest);
  }

  /** Ends all. */
  close(): void {
    clearTimeout(this.#timer);
    for (const resting of [...this.#resting.values()].flat()) this.#end(resting);
  }

  #look(): void {
    this.#timer = undefined;
    const nowMs = this.#nowMs();
    for (const resting of [...this.#resting.values()].flat())
      if (nowMs - resting.sinceMs >= restMs) this.#end(resting);
    if (this.#resting.size > 0) this.#timer = setTimeout(() => this.#look(), lookEveryMs);
  }

  #end(resting: Resting): void {
    const { token, stream } = resting;
    const rest = this.#resting.get(token)?.filter((other) => other !== resting) ?? [];
    if (rest.length === 0) this.#resting.delete(token);
    else this.#resting.set(token, rest);
    stream.end();
  }
}
