import type { IncomingMessage } from 'node:http';
import type { PieceSource } from '../assets/asset-storage.ts';

/** How many received bytes may wait to be read before the socket is paused. */
const mostWaitingBytes = 524_288;

/**
 * The bytes of a body, read in flowing mode: reading each piece on request would pause and resume the socket each time. A reader that stops
 * early leaves the connection open, so that the failure can still be answered on it.
 */
export function bodyOf(request: IncomingMessage): PieceSource {
  return { [Symbol.asyncIterator]: () => new BodyReader(request), recycle };
}

/** Frees the memory of a piece at once. Left to the garbage collector, the pieces of a GiB would make it walk the heap forty times. */
function recycle({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

class BodyReader implements AsyncIterator<Uint8Array, void> {
  readonly #request: IncomingMessage;
  readonly #pieces: Buffer[] = [];
  #waitingBytes = 0;
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(request: IncomingMessage) {
    this.#request = request;
    if (request.readableEnded) this.#end = {};
    else if (request.destroyed) this.#end = { error: request.errored ?? cut() };
    else
      request
        .on('data', this.#onData)
        .on('end', this.#onEnd)
        .on('error', this.#onError)
        .on('close', this.#onClose);
  }

  async next(): Promise<IteratorResult<Uint8Array, void>> {
    if (this.#pieces.length === 0 && this.#end === undefined) await this.#more();
    const piece = this.#pieces.shift();
    if (piece !== undefined) {
      this.#waitingBytes -= piece.length;
      if (this.#pieces.length === 0 && this.#request.isPaused()) this.#request.resume();
      return { done: false, value: piece };
    }
    if (this.#end?.error !== undefined) throw this.#end.error;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Uint8Array, void>> {
    const request = this.#request;
    request.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
    this.#finish({});
    this.#pieces.length = 0;
    request.pause();
    return { done: true, value: undefined };
  }

  #more(): Promise<void> {
    return new Promise((resolve) => (this.#wake = resolve));
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#wake?.();
  }

  readonly #onData = (piece: Buffer): void => {
    this.#pieces.push(piece);
    this.#waitingBytes += piece.length;
    if (this.#waitingBytes >= mostWaitingBytes) this.#request.pause();
    this.#wake?.();
  };

  readonly #onEnd = (): void => this.#finish({});
  // It stays when the reading ends, so that a later failure of the connection has a listener.
  readonly #onError = (error: unknown): void => this.#finish({ error });
  readonly #onClose = (): void => {
    // Every request emits `close`, usually after its end.
    if (this.#end === undefined) this.#finish({ error: cut() });
  };
}

function cut(): Error {
  return new Error('The body ended early.');
}
