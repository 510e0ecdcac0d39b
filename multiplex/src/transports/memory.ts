import type { Transport, TransportListener } from '../transport.ts';

/** A simulated clock that advances on request and runs scheduled functions. */
export class MemoryScheduler {
  /** The current time in milliseconds. */
  nowMs = 0;
  readonly #settle: () => Promise<void>;
  #events: { atMs: number; run: () => void }[] = [];

  /** `settle` waits until all pending promise callbacks have run, such as a turn of the event loop. */
  constructor(settle: () => Promise<void>) {
    this.#settle = settle;
  }

  /** Runs a function after a delay; functions due at the same time run in the order of scheduling. */
  schedule(run: () => void, delayMs: number): void {
    const atMs = this.nowMs + Math.max(0, delayMs);
    let index = this.#events.length;
    while (index > 0 && (this.#events[index - 1]?.atMs ?? 0) > atMs) index -= 1;
    this.#events.splice(index, 0, { atMs, run });
  }

  /** Advances the time by `durationMs`, running what becomes due. */
  async advance(durationMs: number): Promise<void> {
    const untilMs = this.nowMs + durationMs;
    await this.#settle();
    for (let event = this.#due(untilMs); event !== undefined; event = this.#due(untilMs)) {
      this.nowMs = event.atMs;
      event.run();
      await this.#settle();
    }
    this.nowMs = untilMs;
  }

  #due(untilMs: number): { atMs: number; run: () => void } | undefined {
    const first = this.#events[0];
    return first !== undefined && first.atMs <= untilMs ? this.#events.shift() : undefined;
  }
}

/** How a pair of memory transports behaves. */
export interface MemoryPairOptions {
  readonly scheduler: MemoryScheduler;
  /** Latency of the next message, in milliseconds; messages stay in order. */
  readonly delayMs: () => number;
  /** Size of the next part of a message that is delivered in parts; all by default. */
  readonly partBytes?: () => number;
}

/** Bytes of a message that a listener gets to decide whether it is delivered in parts. */
const minFirstBytes = 9;

/** One end of an in-memory pair: whole messages, in order, delayed by the scheduler. */
export class MemoryTransport implements Transport {
  readonly #options: MemoryPairOptions;
  #peer: MemoryTransport | undefined;
  #listener: TransportListener | undefined;
  #bufferedBytes = 0;
  #lastAtMs = 0;
  #isOver = false;
  #stalled: (() => void)[] | undefined;

  private constructor(options: MemoryPairOptions) {
    this.#options = options;
  }

  /** Two connected ends. */
  static pair(options: MemoryPairOptions): [MemoryTransport, MemoryTransport] {
    const left = new MemoryTransport(options);
    const right = new MemoryTransport(options);
    left.#peer = right;
    right.#peer = left;
    return [left, right];
  }

  get bufferedBytes(): number {
    return this.#bufferedBytes;
  }

  attach(listener: TransportListener): void {
    this.#listener = listener;
  }

  send(head: Uint8Array, payload = new Uint8Array(0), onSent?: () => void): void {
    if (this.#isOver) return;
    const bytes = new Uint8Array(head.length + payload.length);
    bytes.set(head);
    bytes.set(payload, head.length);
    onSent?.();
    this.#bufferedBytes += bytes.length;
    this.#later(() => {
      this.#peer?.receive(bytes);
      this.#bufferedBytes -= bytes.length;
      if (this.#bufferedBytes === 0) this.#listener?.onDrain();
    });
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#later(() => this.#peer?.lose());
  }

  /** Ends both sides at once and drops everything in flight. */
  destroy(): void {
    const peer = this.#peer;
    this.lose();
    peer?.lose();
  }

  /** Holds back everything that this end sends until `resume`. */
  stall(): void {
    this.#stalled ??= [];
  }

  /** Delivers what was held back, and everything after it. */
  resume(): void {
    const waiting = this.#stalled ?? [];
    this.#stalled = undefined;
    for (const deliver of waiting) deliver();
  }

  #later(deliver: () => void): void {
    const { scheduler, delayMs } = this.#options;
    this.#lastAtMs = Math.max(this.#lastAtMs, scheduler.nowMs + delayMs());
    scheduler.schedule(() => this.#deliver(deliver), this.#lastAtMs - scheduler.nowMs);
  }

  #deliver(deliver: () => void): void {
    if (this.#stalled === undefined) deliver();
    else this.#stalled.push(() => this.#deliver(deliver));
  }

  private receive(bytes: Uint8Array): void {
    const listener = this.#listener;
    const { partBytes = () => Infinity } = this.#options;
    let end = Math.min(bytes.length, Math.max(minFirstBytes, partBytes()));
    if (listener?.acceptsParts(bytes.subarray(0, end)) !== true) end = bytes.length;
    listener?.onMessage(bytes.subarray(0, end), bytes.length - end);
    while (end < bytes.length && this.#listener !== undefined) {
      const part = bytes.subarray(end, end + Math.max(1, partBytes()));
      end += part.length;
      listener?.onPart(part);
    }
  }

  private lose(): void {
    const listener = this.#listener;
    this.#isOver = true;
    this.#listener = undefined;
    this.#peer = undefined;
    listener?.onEnd('');
  }
}
