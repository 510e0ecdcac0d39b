import { ChunkedHash } from './chunked-hash.ts';
import { slotBytes, type Digests } from './hash-messages.ts';
import { HashThread } from './HashThread.ts';

/** Where the bytes of a hash go. */
export interface HashSink {
  update(bytes: Uint8Array): Promise<void> | undefined;
  finish(): Promise<Digests>;
  /** Forgets a hash that nobody ends. */
  readonly drop: () => void;
}

let thread: HashThread | undefined;

/** Collects bytes for the thread; what stays small is hashed here, because the way there takes longer than the hash. */
export function hashInThread(): HashSink {
  let remote: RemoteHash | undefined;
  let pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  return {
    update(bytes) {
      let sent: Promise<void> | undefined;
      for (let start = 0; start < bytes.length;) {
        const piece = bytes.subarray(start, start + slotBytes - sizeBytes);
        pieces.push(piece);
        start += piece.length;
        sizeBytes += piece.length;
        if (sizeBytes < slotBytes) break;
        remote ??= new RemoteHash();
        sent = remote.send(pieces);
        [pieces, sizeBytes] = [[], 0];
      }
      return sent;
    },
    async finish() {
      if (remote !== undefined) return remote.finish(pieces);
      const hash = new ChunkedHash();
      for (const piece of pieces) hash.update(piece);
      return hash.finish();
    },
    drop: () => remote?.drop(),
  };
}

/** A hash in the thread. Its blocks go there in their order, also those that wait for a slot. */
class RemoteHash {
  readonly #thread = (thread ??= startThread());
  readonly #id = this.#thread.nextId();
  #waiting: Promise<void> | undefined;

  send(pieces: readonly Uint8Array[]): Promise<void> | undefined {
    const slot = this.#waiting === undefined ? this.#thread.takeSlot() : undefined;
    if (slot !== undefined) return void this.#thread.add(this.#id, slot, pieces);
    const waiting = this.#sendLater(this.#waiting, pieces);
    this.#waiting = waiting;
    void waiting.then(
      () => (this.#waiting === waiting ? (this.#waiting = undefined) : undefined),
      () => undefined,
    );
    return waiting;
  }

  async finish(pieces: readonly Uint8Array[]): Promise<Digests> {
    if (pieces.length > 0) await this.send(pieces);
    await this.#waiting;
    return this.#thread.finish(this.#id);
  }

  drop(): void {
    this.#thread.drop(this.#id);
  }

  async #sendLater(earlier: Promise<void> | undefined, pieces: readonly Uint8Array[]): Promise<void> {
    await earlier;
    this.#thread.add(this.#id, await this.#thread.waitForSlot(), pieces);
  }
}

function startThread(): HashThread {
  const started = new HashThread(() => {
    if (thread === started) thread = undefined;
  });
  return started;
}
