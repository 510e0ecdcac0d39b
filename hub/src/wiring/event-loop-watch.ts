import type { LogFields } from '../platform/log/log-fields.ts';

/** How often the event loop is watched. */
const everyMs = 250;
/** A stall that is logged, and one after which the node leaves the rotation of load balancers. */
const loggedMs = 1_000;
const severeMs = 10_000;
/** For how long it stays out of rotation: the devices whose links broke come back meanwhile, and a stall that comes again soon finds no new clients. */
const outOfRotationMs = 30_000;

interface WatchParts {
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
  readonly log: { warn(fields: LogFields, message: string): void };
}

/** Notices when the event loop stood still, so that nobody was answered. */
export class EventLoopWatch {
  readonly #parts: WatchParts;
  #timer: NodeJS.Timeout | undefined;
  #lookedAtMs: number;
  #returnsAtMs = -Infinity;

  constructor(parts: WatchParts) {
    this.#parts = parts;
    this.#lookedAtMs = parts.nowMs();
  }

  /** Begins to watch. */
  start(): void {
    this.#lookedAtMs = this.#parts.nowMs();
    this.#timer = setInterval(() => this.look(), everyMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Whether the event loop stood still for more than 10 s within the last 30 s. */
  get isOutOfRotation(): boolean {
    // A request that arrived during a stall may be served before the timer.
    this.look();
    return this.#parts.nowMs() < this.#returnsAtMs;
  }

  /** Looks how late it is since the last look; logs what is above a second. */
  look(): void {
    const nowMs = this.#parts.nowMs();
    const stalledMs = Math.round(nowMs - this.#lookedAtMs - everyMs);
    this.#lookedAtMs = nowMs;
    if (stalledMs > severeMs) this.#returnsAtMs = nowMs + outOfRotationMs;
    if (stalledMs > loggedMs)
      this.#parts.log.warn(
        { durationMs: stalledMs },
        'the event loop stood still: nothing was answered meanwhile',
      );
  }
}
