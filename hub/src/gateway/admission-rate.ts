/** A hub that is never late lets in so many a second. */
const most = 500;
/** One that is always late lets in so many, since 15,000 devices are to be back within a minute all the same. */
const least = 300;
/** Later than this on average, less is begun; calls wait a few turns of the event loop each. */
const tooLateMs = 10;
/** Not later than this, more is begun again. */
const inTimeMs = 5;
/** What one look counts in the average. */
const share = 0.2;

/** How many connections may begin a second, found by how late the event loop is with other work while they do. */
export class AdmissionRate {
  #perSecond = most;
  #lateMs = 0;

  /** The present rate. */
  get perSecond(): number {
    return this.#perSecond;
  }

  /** Takes note, 20 times a second, of how late a timer was, in milliseconds: less at once, within a second down to half; more again by and by. */
  observe(lateMs: number): void {
    this.#lateMs += (lateMs - this.#lateMs) * share;
    if (this.#lateMs > tooLateMs) this.#perSecond = Math.max(least, this.#perSecond * 0.97);
    else if (this.#lateMs < inTimeMs) this.#perSecond = Math.min(most, this.#perSecond + 5);
  }
}
