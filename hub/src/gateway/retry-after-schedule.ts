import { RecentKeys } from '../limits/recent-keys.ts';

const maxRetrySecs = 300;
/** How many clients are remembered with the time of their retry; one takes some 120 bytes. */
const maxClients = 65_536;
/** How long a client that does not come when its retry is due keeps its turn. */
const keptForMs = 60_000;
/** Whole seconds are coarse: a random part of this length spreads the returns again. */
const spreadSecs = 2;

/** Schedules Retry-After times so that refused clients return at the rate at which they can be admitted. */
export class RetryAfterSchedule {
  #perSecond: number;
  readonly #nowMs: () => number;
  readonly #random: () => number;
  #lastAtMs = 0;
  readonly #dueAtMs = new RecentKeys<number>(maxClients);

  constructor(perSecond: number, nowMs: () => number, random: () => number = Math.random) {
    this.#perSecond = perSecond;
    this.#nowMs = nowMs;
    this.#random = random;
  }

  /** Changes how many retries are scheduled per second; retries that are already scheduled keep their time. */
  set perSecond(perSecond: number) {
    this.#perSecond = perSecond;
  }

  /** Schedules no retry earlier than `durationMs` from now. */
  blockFor(durationMs: number): void {
    this.#lastAtMs = Math.max(this.#lastAtMs, this.#nowMs() + durationMs);
  }

  /** Where a client stands: it was given no time, or comes before its time, or comes when it was told to. */
  stateOf(client: string): 'new' | 'early' | 'due' {
    const dueAtMs = this.#dueAtMs.peek(client);
    if (dueAtMs === undefined) return 'new';
    if (dueAtMs > this.#nowMs()) return 'early';
    return dueAtMs < this.#nowMs() - keptForMs ? 'new' : 'due';
  }

  /**
   * Schedules the next retry and returns in how many whole seconds it is due: at least 1, at most some 300. A client whose retry is scheduled already keeps its time: however often
   * it tries meanwhile, it delays no other.
   */
  nextSecs(client?: string): number {
    const nowMs = this.#nowMs();
    const waitSecs = (this.#atMsFor(client, nowMs) - nowMs) / 1_000;
    return 1 + Math.floor(waitSecs + this.#random() * spreadSecs);
  }

  /** Forgets the retry of a client that is back. */
  forget(client: string): void {
    this.#dueAtMs.delete(client);
  }

  #atMsFor(client: string | undefined, nowMs: number): number {
    const knownAtMs = client === undefined ? 0 : (this.#dueAtMs.peek(client) ?? 0);
    if (knownAtMs > nowMs) return knownAtMs;
    const nextAtMs = Math.max(this.#lastAtMs, nowMs) + 1_000 / this.#perSecond;
    this.#lastAtMs = Math.min(nextAtMs, nowMs + maxRetrySecs * 1_000);
    if (client !== undefined) this.#dueAtMs.set(client, this.#lastAtMs);
    return this.#lastAtMs;
  }
}
