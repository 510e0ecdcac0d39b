import type { ChannelCore, ChannelOwner } from './channel-core.ts';
import type { Channel, ChunkHandler } from './channel.ts';
import type { ChannelHost, OutgoingBytes } from './channel-host.ts';
import { ChannelClosure } from './errors.ts';
import { Inbox } from './inbox.ts';

interface PendingWrite extends OutgoingBytes {
  offset: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

interface Drain {
  readonly onChunk: ChunkHandler;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** Whether the promise of the last `onChunk` is pending. */
  isBusy: boolean;
}

const done = Promise.resolve();

/** Prefix of the ChannelClosed reason of an aborted stream; peers that do not know the prefix see a normal end. */
const resetPrefix = 'reset';

/** Adds buffers, back-pressure and promises to the protocol state of a channel. */
export class ChannelStream implements Channel, ChannelOwner {
  readonly endpoint: string;
  readonly #host: ChannelHost;
  readonly #core: ChannelCore;
  #inbox: Inbox | undefined;
  #reader: ((bytes: Uint8Array | null) => void) | undefined;
  #drain: Drain | undefined;
  #outbox: PendingWrite[] | undefined;
  #isInputOver = false;
  #isReadingStopped = false;
  #resetReason: string | undefined;
  #endReason: string | undefined;
  #stopReason: string | undefined;
  #closedReason: string | undefined;
  #closed: PromiseWithResolvers<string> | undefined;
  #stopped: PromiseWithResolvers<string> | undefined;

  constructor(host: ChannelHost, core: ChannelCore, endpoint: string) {
    this.#host = host;
    this.#core = core;
    this.endpoint = endpoint;
  }

  get isClosed(): boolean {
    return this.#closedReason !== undefined;
  }

  get closed(): Promise<string> {
    if (this.#closed === undefined) {
      this.#closed = Promise.withResolvers();
      if (this.#closedReason !== undefined) this.#closed.resolve(this.#closedReason);
    }
    return this.#closed.promise;
  }

  get stopped(): Promise<string> {
    if (this.#stopped === undefined) {
      this.#stopped = Promise.withResolvers();
      if (this.#stopReason !== undefined) this.#stopped.resolve(this.#stopReason);
    }
    return this.#stopped.promise;
  }

  get resetReason(): string | undefined {
    return this.#resetReason;
  }

  read(): Promise<Uint8Array | null> {
    const chunk = this.#inbox?.shift();
    if (chunk !== undefined) {
      this.#host.consumed(this.#core, chunk.length);
      return Promise.resolve(chunk);
    }
    if (this.#isInputOver) return Promise.resolve(null);
    if (this.#reader !== undefined || this.#drain !== undefined)
      return Promise.reject(new Error('a read is waiting already'));
    return new Promise((resolve) => {
      this.#reader = resolve;
    });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (let chunk = await this.read(); chunk !== null; chunk = await this.read()) yield chunk;
    } finally {
      if (!this.#isInputOver) this.stopReading();
    }
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#send({ bytes, sizeBytes: bytes.length, isOwned: false }) ?? done;
  }

  writeOwned(bytes: Uint8Array, head?: Uint8Array): Promise<void> | undefined {
    return this.#send({ bytes, sizeBytes: bytes.length, isOwned: true, head });
  }

  drain(onChunk: ChunkHandler): Promise<void> {
    if (this.#reader !== undefined || this.#drain !== undefined)
      return Promise.reject(new Error('a read is waiting already'));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#drain = { onChunk, resolve, reject, isBusy: false };
    this.#drainInbox(this.#drain);
    return promise;
  }

  end(reason = ''): void {
    if (this.#endReason !== undefined || this.#stopReason !== undefined) return;
    this.#endReason = reason;
    this.#finishIfWritten();
  }

  stopReading(reason = ''): void {
    this.#inbox?.clear();
    this.#isReadingStopped = true;
    this.#endInput();
    this.#host.stop(this.#core, reason);
  }

  abort(reason = ''): void {
    this.#stopWriting(reason);
    this.#host.finishNow(this.#core, reason === '' ? resetPrefix : `${resetPrefix}: ${reason}`);
    this.stopReading(reason);
  }

  /** Sends one frame of the pending writes; returns true when more is pending and only the transport has no room. */
  pump(): boolean {
    const write = this.#outbox?.[0];
    if (write === undefined || !this.#hasCredit) return false;
    write.offset = this.#host.sendData(this.#core, write, write.offset);
    if (write.offset === write.sizeBytes) {
      this.#outbox?.shift();
      write.resolve();
      this.#finishIfWritten();
    }
    return this.#isWaiting && this.#hasCredit;
  }

  delivered(payload: Uint8Array): void {
    if (this.#drain?.isBusy === false) return this.#handOver(this.#drain, payload);
    const reader = this.#reader;
    if (reader === undefined) {
      this.#inbox ??= new Inbox();
      this.#inbox.push(payload);
      return;
    }
    this.#reader = undefined;
    this.#host.consumed(this.#core, payload.length);
    reader(payload);
  }

  credited(): void {
    let hasMore = this.#isWaiting;
    while (hasMore && this.#host.hasRoom) hasMore = this.pump();
    this.#waitIfBlocked();
  }

  peerEnded(reason: string): void {
    if (reason.startsWith(resetPrefix)) this.#noteReset(reason.slice(resetPrefix.length).replace(/^: */, ''));
    this.#endInput();
  }

  peerStopped(reason: string): void {
    this.#stopWriting(reason || 'the peer reads no more');
  }

  finished(): void {
    this.#close('');
  }

  /** The connection has ended; buffered data can still be read. */
  connectionEnded(reason: string): void {
    this.#noteReset(reason || 'the connection ended');
    this.#endInput();
    this.#stopWriting(reason);
    this.#close(reason);
  }

  #send(outgoing: OutgoingBytes): Promise<void> | undefined {
    if (this.#stopReason !== undefined || this.#endReason !== undefined) {
      return Promise.reject(new ChannelClosure(this.#stopReason || 'the channel is ended'));
    }
    const offset = this.#isWaiting ? 0 : this.#sendNow(outgoing);
    if (offset === outgoing.sizeBytes && !this.#isWaiting) return undefined;
    return new Promise((resolve, reject) => {
      this.#outbox ??= [];
      this.#outbox.push({ ...outgoing, offset, resolve, reject });
      this.#waitIfBlocked();
    });
  }

  #sendNow(outgoing: OutgoingBytes): number {
    let offset = 0;
    while (offset < outgoing.sizeBytes && this.#hasCreditFor(outgoing, offset) && this.#host.hasRoom) {
      offset = this.#host.sendData(this.#core, outgoing, offset);
    }
    return offset;
  }

  #drainInbox(drain: Drain): void {
    while (!drain.isBusy && this.#drain === drain) {
      const chunk = this.#inbox?.shift();
      if (chunk !== undefined) this.#handOver(drain, chunk);
      else if (this.#isInputOver) return this.#endDrain();
      else return;
    }
  }

  #handOver(drain: Drain, chunk: Uint8Array): void {
    // The handler may release the bytes, which empties them.
    const sizeBytes = chunk.length;
    const waiting = drain.onChunk(chunk);
    if (waiting === undefined) return this.#consumed(sizeBytes);
    drain.isBusy = true;
    waiting.then(
      () => {
        drain.isBusy = false;
        this.#consumed(sizeBytes);
        this.#drainInbox(drain);
      },
      (error: unknown) => {
        this.#drain = undefined;
        drain.reject(error);
      },
    );
  }

  /** After `stopReading` everything counts as consumed already. */
  #consumed(sizeBytes: number): void {
    if (!this.#isReadingStopped) this.#host.consumed(this.#core, sizeBytes);
  }

  #endDrain(): void {
    const drain = this.#drain;
    this.#drain = undefined;
    drain?.resolve();
  }

  get #isWaiting(): boolean {
    return this.#outbox !== undefined && this.#outbox.length > 0;
  }

  /** Whether there is credit for the first of the pending writes. */
  get #hasCredit(): boolean {
    const write = this.#outbox?.[0];
    return write !== undefined && this.#hasCreditFor(write, write.offset);
  }

  /** A head needs its credit in one piece, and that of a byte behind it. */
  #hasCreditFor({ head }: OutgoingBytes, offset: number): boolean {
    const headBytes = offset === 0 ? (head?.length ?? 0) : 0;
    return (this.#core.send?.available ?? 0) > headBytes;
  }

  #waitIfBlocked(): void {
    if (this.#isWaiting && this.#hasCredit) this.#host.waitForRoom(this);
  }

  #finishIfWritten(): void {
    if (this.#endReason === undefined || this.#isWaiting) return;
    this.#host.finish(this.#core, this.#endReason);
  }

  #stopWriting(reason: string): void {
    this.#stopReason ??= reason;
    this.#stopped?.resolve(this.#stopReason);
    const writes = this.#outbox ?? [];
    this.#outbox = undefined;
    for (const write of writes) write.reject(new ChannelClosure(reason || 'the channel is ended'));
  }

  #noteReset(reason: string): void {
    if (!this.#isInputOver) this.#resetReason = reason || 'the stream was reset';
  }

  #endInput(): void {
    this.#isInputOver = true;
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.(null);
    if (this.#drain !== undefined) this.#drainInbox(this.#drain);
  }

  #close(reason: string): void {
    if (this.#closedReason !== undefined) return;
    this.#closedReason = reason;
    this.#closed?.resolve(reason);
  }
}
