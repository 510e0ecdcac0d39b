/** How long a request waits at most; later ones are refused. */
export const maxDelayMs = 5_000;
/** How many refused calls a user may make; whoever makes more has a program that ignores what it is told. */
const refusalsOfUser: RequestRate = { perSecond: 20, atOnce: 60 };
/** A device has one program; a broken one repeats its mistake for as long as it runs, and may be one of thousands. */
const refusalsOfDevice: RequestRate = { perSecond: 2, atOnce: 10 };
/** What requests that began at the same time take from the later ones of their key at most, in milliseconds. */
const maxBehindMs = 300_000;
/** How many keys are kept. At more, the one that came first starts anew. */
const maxKeys = 10_000;
/** How often all keys are looked at for those that are quiet. */
const scanEveryMs = 1_000;

/** How many requests a key may make a second, and how many at once if it was quiet. */
export interface RequestRate {
  readonly perSecond: number;
  readonly atOnce: number;
}

/**
 * Spaces the requests of a key, such as a network or a user, evenly once its burst is used up (the generic cell rate algorithm): all that is kept of a key is the time at which its requests
 * so far would have come at that rate.
 */
export class RequestSchedule {
  readonly #intervalMs: number;
  readonly #burstMs: number;
  readonly #nowMs: () => number;
  readonly #dueAtMs = new Map<string, number>();
  #scannedAtMs = -Infinity;

  constructor({ perSecond, atOnce }: RequestRate, nowMs: () => number) {
    this.#intervalMs = 1_000 / perSecond;
    this.#burstMs = this.#intervalMs * atOnce;
    this.#nowMs = nowMs;
  }

  /** How many keys are kept. */
  get size(): number {
    return this.#dueAtMs.size;
  }

  /** Whether the next request of a key waits, or is refused. */
  isBehind(key: string): boolean {
    const dueAtMs = this.#dueAtMs.get(key);
    return dueAtMs !== undefined && dueAtMs + this.#intervalMs - this.#nowMs() > this.#burstMs;
  }

  /** Takes the next turn of a key, and tells how long it waits, in milliseconds; undefined, and no turn, when too many wait. */
  nextDelayMs(key: string): number | undefined {
    const nowMs = this.#nowMs();
    const dueAtMs = Math.max(this.#dueAtMs.get(key) ?? nowMs, nowMs) + this.#intervalMs;
    const delayMs = dueAtMs - nowMs - this.#burstMs;
    if (delayMs > maxDelayMs) return undefined;
    this.#keep(key, dueAtMs);
    return Math.max(0, delayMs);
  }

  /** Takes a turn of a key for a request that has been served: who sends many at once is refused later for as long as they would have waited, five minutes at most. */
  charge(key: string): void {
    const nowMs = this.#nowMs();
    const dueAtMs = Math.max(this.#dueAtMs.get(key) ?? nowMs, nowMs) + this.#intervalMs;
    this.#keep(key, Math.min(dueAtMs, nowMs + this.#burstMs + maxBehindMs));
  }

  #keep(key: string, dueAtMs: number): void {
    if (!this.#dueAtMs.has(key) && this.#dueAtMs.size >= maxKeys) this.#makeRoom();
    this.#dueAtMs.set(key, dueAtMs);
  }

  /** Keys that have their whole burst again are no loss; without one the first goes. */
  #makeRoom(): void {
    const nowMs = this.#nowMs();
    if (nowMs - this.#scannedAtMs >= scanEveryMs) {
      this.#scannedAtMs = nowMs;
      for (const [key, dueAtMs] of this.#dueAtMs) if (dueAtMs <= nowMs) this.#dueAtMs.delete(key);
    }
    const [first] = this.#dueAtMs.keys();
    if (first !== undefined && this.#dueAtMs.size >= maxKeys) this.#dueAtMs.delete(first);
  }
}

/** The schedules of callers whose calls are refused, by what `answerCaller` says. */
export interface RefusalSchedules {
  readonly users: RequestSchedule;
  readonly devices: RequestSchedule;
}

/** Builds the schedules of callers whose calls are refused. `nowMs` is a monotonic clock in milliseconds. */
export function refusalSchedules(nowMs: () => number): RefusalSchedules {
  return {
    users: new RequestSchedule(refusalsOfUser, nowMs),
    devices: new RequestSchedule(refusalsOfDevice, nowMs),
  };
}
