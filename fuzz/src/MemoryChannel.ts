import { ChannelClosure, type CallChannel } from '@corral/multiplex';

/** A channel whose peer has sent all its data, in pieces, and accepts everything. */
export class MemoryChannel implements CallChannel {
  readonly endpoint = 'executor';
  readonly closed = new Promise<string>(() => {});
  readonly stopped = new Promise<string>(() => {});
  readonly resetReason = undefined;
  /** The written bytes. */
  readonly written: Uint8Array[] = [];
  /** How its owner has ended it. */
  outcome: 'open' | 'ended' | 'aborted' = 'open';
  readonly #pieces: Uint8Array[];

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces.filter(({ length }) => length > 0);
  }

  get isClosed(): boolean {
    return this.outcome !== 'open';
  }

  read(): Promise<Uint8Array | null> {
    return Promise.resolve(this.isClosed ? null : (this.#pieces.shift() ?? null));
  }

  write(bytes: Uint8Array): Promise<void> {
    if (this.isClosed) return Promise.reject(new ChannelClosure('the channel is ended'));
    this.written.push(bytes);
    return Promise.resolve();
  }

  end(): void {
    if (this.outcome === 'open') this.outcome = 'ended';
  }

  stopReading(): void {
    this.#pieces.length = 0;
  }

  abort(): void {
    this.outcome = 'aborted';
    this.stopReading();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for (let piece = await this.read(); piece !== null; piece = await this.read()) yield piece;
  }
}

/** Splits a stream at positions derived from its first byte, since peers may split a stream anywhere. */
export function inPieces(stream: Uint8Array): Uint8Array[] {
  const sizeBytes = 1 + ((stream[0] ?? 0) % 23);
  const pieces: Uint8Array[] = [];
  for (let at = 1; at < stream.length; at += sizeBytes) pieces.push(stream.slice(at, at + sizeBytes));
  return pieces;
}
