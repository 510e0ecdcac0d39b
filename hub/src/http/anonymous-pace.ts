/** How many seconds' requests a network that was quiet may send at once. */
const burstSecs = 3;
/** How long a request waits at most; later ones are refused. */
const maxDelayMs = 5_000;
/** How many networks are kept. At more, the one that came first starts anew. */
const maxNetworks = 10_000;

/**
 * Spaces the requests of a network evenly once its burst is used up (the generic cell rate algorithm): all that is kept of a network is the time at which its requests so far would have
 * come at that rate.
 */
export class AnonymousPace {
  readonly #intervalMs: number;
  readonly #nowMs: () => number;
  readonly #dueAtMs = new Map<string, number>();

  constructor(perSecond: number, nowMs: () => number) {
    this.#intervalMs = 1_000 / perSecond;
    this.#nowMs = nowMs;
  }

  /** How many networks are kept. */
  get size(): number {
    return this.#dueAtMs.size;
  }

  /** How long the next request of a network waits, in milliseconds; undefined when it is refused because too many wait. */
  nextDelayMs(network: string): number | undefined {
    const nowMs = this.#nowMs();
    const dueAtMs = Math.max(this.#dueAtMs.get(network) ?? nowMs, nowMs) + this.#intervalMs;
    const delayMs = dueAtMs - nowMs - burstSecs * 1_000;
    if (delayMs > maxDelayMs) return undefined;
    this.#keep(network, dueAtMs);
    return Math.max(0, delayMs);
  }

  #keep(network: string, dueAtMs: number): void {
    if (!this.#dueAtMs.has(network) && this.#dueAtMs.size >= maxNetworks) this.#forget();
    this.#dueAtMs.set(network, dueAtMs);
  }

  /** Networks that have their whole burst again are no loss; without one the first goes. */
  #forget(): void {
    const nowMs = this.#nowMs();
    for (const [network, dueAtMs] of this.#dueAtMs) if (dueAtMs <= nowMs) this.#dueAtMs.delete(network);
    const [first] = this.#dueAtMs.keys();
    if (first !== undefined && this.#dueAtMs.size >= maxNetworks) this.#dueAtMs.delete(first);
  }
}
