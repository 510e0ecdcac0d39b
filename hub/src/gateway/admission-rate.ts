import type { RateLimit } from '../limits/limit.ts';
import { limits } from '../limits/table.ts';

const { perSecond: highestPerSecond, lowestPerSecond }: Required<RateLimit> = limits.connects;
/** Above this average event-loop delay the rate falls; each call waits a few turns of the loop. */
const highDelayMs = 10;
/** Below this average event-loop delay the rate rises. */
const lowDelayMs = 5;
/** EWMA weight of one sample. */
const sampleWeight = 0.2;

/** The number of connections a second that may begin, adapted to the delay of the event loop. */
export class AdmissionRate {
  #perSecond = highestPerSecond;
  #averageMs = 0;

  /** The current rate. */
  get perSecond(): number {
    return this.#perSecond;
  }

  /** Takes a sample of the event-loop delay in milliseconds, 20 times a second. The rate can halve within a second and rises slowly. */
  observe(delayMs: number): void {
    this.#averageMs += (delayMs - this.#averageMs) * sampleWeight;
    if (this.#averageMs > highDelayMs) this.#perSecond = Math.max(lowestPerSecond, this.#perSecond * 0.97);
    else if (this.#averageMs < lowDelayMs) this.#perSecond = Math.min(highestPerSecond, this.#perSecond + 5);
  }
}
