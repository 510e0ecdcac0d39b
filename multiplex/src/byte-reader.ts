import type { Channel } from './channel.ts';
import { ChannelClosure } from './errors.ts';
import { growBuffer } from './grow-buffer.ts';

const empty = new Uint8Array(0);

/** Reads a channel's stream in pieces of known length. */
export class ByteReader {
  readonly #channel: Pick<Channel, 'read'>;
  #rest: Uint8Array = empty;

  constructor(channel: Pick<Channel, 'read'>) {
    this.#channel = channel;
  }

  /**
   * The next `sizeBytes` bytes; null when the stream ended before them, rejected with ChannelClosure when it ended within.
   * Memory grows with the received bytes, not with the announced size.
   */
  async read(sizeBytes: number): Promise<Uint8Array | null> {
    if (this.#rest.length === 0 && sizeBytes > 0) {
      const chunk = await this.#channel.read();
      if (chunk === null) return null;
      this.#rest = chunk;
    }
    return this.#rest.length >= sizeBytes ? this.#take(sizeBytes) : this.#buffer(sizeBytes);
  }

  async #buffer(sizeBytes: number): Promise<Uint8Array> {
    let piece: Uint8Array<ArrayBuffer> = new Uint8Array(0);
    let length = 0;
    for (;;) {
      const part = this.#take(Math.min(this.#rest.length, sizeBytes - length));
      piece = growBuffer(piece, length + part.length, sizeBytes);
      piece.set(part, length);
      length += part.length;
      if (length === sizeBytes) return piece;
      const chunk = await this.#channel.read();
      if (chunk === null) throw new ChannelClosure('the stream ended within a message');
      this.#rest = chunk;
    }
  }

  /** Keeps no empty view, which would keep its whole buffer alive. */
  #take(sizeBytes: number): Uint8Array {
    const rest = this.#rest;
    this.#rest = sizeBytes === rest.length ? empty : rest.subarray(sizeBytes);
    return rest.subarray(0, sizeBytes);
  }
}
