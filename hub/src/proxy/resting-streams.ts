import type { DeviceStream } from './device-stream.ts';

interface Resting {
  readonly token: string;
  readonly deviceId: string;
  readonly stream: DeviceStream;
  readonly timer: NodeJS.Timeout;
}

/** How long a stream waits for the next request: a browser's come close together, and a device's server may have few places. */
const restMs = 1_000;

/**
 * Streams whose request was answered in full, for the next request of the same access. A device that says or ends anything meanwhile ends
 * the stream.
 */
export class RestingStreams {
  /** By access, those that have rested longest first. */
  readonly #resting = new Map<string, Resting[]>();

  /** The stream of this access that has rested shortest, if any; it belongs to the caller from then on. */
  take(token: string): DeviceStream | undefined {
    const line = this.#resting.get(token);
    for (let found = line?.pop(); found !== undefined; found = line?.pop()) {
      if (line?.length === 0) this.#resting.delete(token);
      clearTimeout(found.timer);
      if (!found.stream.hasStirred) return found.stream;
      found.stream.end();
    }
    return undefined;
  }

  /** Keeps a stream for a while. */
  add(token: string, deviceId: string, stream: DeviceStream): void {
    const end = (): void => this.#end(resting);
    const resting: Resting = { token, deviceId, stream, timer: setTimeout(end, restMs) };
    const line = this.#resting.get(token);
    if (line === undefined) this.#resting.set(token, [resting]);
    else line.push(resting);
    stream.rest(end);
  }

  /** Ends a stream of a device, if any rests: of one access the one that has rested longest. */
  evict(deviceId: string): void {
    for (const [oldest] of this.#resting.values())
      if (oldest?.deviceId === deviceId) return this.#end(oldest);
  }

  /** Ends all. */
  close(): void {
    for (const resting of [...this.#resting.values()].flat()) this.#end(resting);
  }

  #end(resting: Resting): void {
    const { token, stream, timer } = resting;
    clearTimeout(timer);
    const rest = this.#resting.get(token)?.filter((other) => other !== resting) ?? [];
    if (rest.length === 0) this.#resting.delete(token);
    else this.#resting.set(token, rest);
    stream.end();
  }
}
