import type { IncomingMessage } from 'node:http';
import type { PieceSource } from '../assets/asset-storage.ts';

/** Of what has arrived, so much may wait to be read; then the client is slowed down. */
const mostWaitingBytes = 524_288;

/**
 * The bytes of a body, which flow: asking the socket for each piece would stop and start it each time. Whoever stops reading them leaves the
 * connection open, on which the failure is still to be answered.
 */
export function bodyOf(request: IncomingMessage): PieceSource {
  return { [Symbol.asyncIterator]: () => new BodyReader(request), recycle };
}

/** Each piece has memory of its own. A GiB of such pieces would make the garbage collector walk the heap forty times. */
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
    // Each request closes at last, most of them behind their end.
    if (this.#end === undefined) this.#finish({ error: cut() });
  };
}

function cut(): Error {
  return new Error('The body ended early.');
}
