/** How long a request waits at most; later ones are refused. */
export const maxDelayMs = 5_000;
/** How many refused calls a user may make; only programs that ignore refusals make more. */
const refusalsOfUser: RequestRate = { perSecond: 20, burst: 60 };
/** Fewer than a user: a broken program repeats its mistake on each of thousands of devices. */
const refusalsOfDevice: RequestRate = { perSecond: 2, burst: 10 };
/** How long later requests of a key are refused at most because of requests that began at the same time, in milliseconds. */
const maxBehindMs = 300_000;
/** How many keys are kept; above that, the oldest one is forgotten. */
const maxKeys = 10_000;
/** How often, at most, all keys are searched for quiet ones. */
const scanEveryMs = 1_000;

/** How many requests a key may make a second, and how many at once after a pause. */
export interface RequestRate {
  readonly perSecond: number;
  readonly burst: number;
}

/**
 * Spaces the requests of a key, such as a network or a user, evenly once its burst is used up, by the generic cell rate algorithm: of each key it keeps only the time until which its
 * requests would have taken at that rate.
 */
export class RequestSchedule {
  readonly #intervalMs: number;
  readonly #burstMs: number;
  readonly #nowMs: () => number;
  readonly #dueAtMs = new Map<string, number>();
  #scannedAtMs = -Infinity;

  constructor({ perSecond, burst }: RequestRate, nowMs: () => number) {
    this.#intervalMs = 1_000 / perSecond;
    this.#burstMs = this.#intervalMs * burst;
    this.#nowMs = nowMs;
  }

  /** How many keys are kept. */
  get size(): number {
    return this.#dueAtMs.size;
  }

  /** Whether the next request of a key would be delayed or refused. */
  isBehind(key: string): boolean {
    const dueAtMs = this.#dueAtMs.get(key);
    return dueAtMs !== undefined && dueAtMs + this.#intervalMs - this.#nowMs() > this.#burstMs;
  }

  /** Schedules the next request of a key, and returns how long it has to wait, in milliseconds; undefined, without scheduling it, when too many wait. */
  schedule(key: string): number | undefined {
    const nowMs = this.#nowMs();
    const dueAtMs = Math.max(this.#dueAtMs.get(key) ?? nowMs, nowMs) + this.#intervalMs;
    const delayMs = dueAtMs - nowMs - this.#burstMs;
    if (delayMs > maxDelayMs) return undefined;
    this.#keep(key, dueAtMs);
    return Math.max(0, delayMs);
  }

  /** Counts a request that was served without being scheduled. It delays later requests of the key, by five minutes at most. */
  charge(key: string): void {
    const nowMs = this.#nowMs();
    const dueAtMs = Math.max(this.#dueAtMs.get(key) ?? nowMs, nowMs) + this.#intervalMs;
    this.#keep(key, Math.min(dueAtMs, nowMs + this.#burstMs + maxBehindMs));
  }

  #keep(key: string, dueAtMs: number): void {
    if (!this.#dueAtMs.has(key) && this.#dueAtMs.size >= maxKeys) this.#makeRoom();
    this.#dueAtMs.set(key, dueAtMs);
  }

  /** Forgets the keys that have their whole burst again, or without such a key the oldest one. */
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

/** The rates of refused calls, by `callerKey`. */
export interface RefusalSchedules {
  readonly users: RequestSchedule;
  readonly devices: RequestSchedule;
}

/** Builds the schedules of refused calls. `nowMs` is a monotonic clock in milliseconds. */
export function refusalSchedules(nowMs: () => number): RefusalSchedules {
  return {
    users: new RequestSchedule(refusalsOfUser, nowMs),
    devices: new RequestSchedule(refusalsOfDevice, nowMs),
  };
}
