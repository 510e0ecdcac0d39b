import type { ChannelDuplex } from './channel-duplex.ts';

interface Resting {
  readonly token: string;
  readonly deviceId: string;
  readonly stream: ChannelDuplex;
  /** Lets go of the stream, as it is. */
  leave(): void;
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
  take(token: string): ChannelDuplex | undefined {
    const found = this.#resting.get(token)?.at(-1);
    found?.leave();
    return found?.stream;
  }

  /** Keeps a stream for a while. */
  add(token: string, deviceId: string, stream: ChannelDuplex): void {
    const end = (): void => void stream.destroy();
    const timer = setTimeout(end, restMs);
    const resting: Resting = {
      token,
      deviceId,
      stream,
      leave: () => {
        clearTimeout(timer);
        this.#forget(resting);
        stream.off('data', end).off('end', end).off('close', resting.leave);
      },
    };
    this.#resting.set(token, [...(this.#resting.get(token) ?? []), resting]);
    stream.on('data', end).on('end', end).on('close', resting.leave).resume();
  }

  /** Ends a stream of a device, if any rests: of one access the one that has rested longest. */
  evict(deviceId: string): void {
    for (const [oldest] of this.#resting.values())
      if (oldest?.deviceId === deviceId) {
        oldest.leave();
        return void oldest.stream.destroy();
      }
  }

  /** Ends all. */
  close(): void {
    for (const { stream } of [...this.#resting.values()].flat()) stream.destroy();
  }

  #forget(resting: Resting): void {
    const rest = this.#resting.get(resting.token)?.filter((other) => other !== resting) ?? [];
    if (rest.length === 0) this.#resting.delete(resting.token);
    else this.#resting.set(resting.token, rest);
  }
}
