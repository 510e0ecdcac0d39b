import { createHash } from 'node:crypto';
import { RecentKeys } from './recent-keys.ts';

const everyMs = 60 * 60_000;
const maxDevices = 10_000;

/**
 * Which devices were logged as waiting for an operator. They come back every half minute, perhaps for days, so each is logged when it comes
 * first, and then once an hour.
 */
export class PendingReports {
  readonly #reportedAtMs = new RecentKeys<number>(maxDevices);
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Whether a device is to be logged now, which then counts as done. The fingerprint is a secret, of which only a digest is kept. */
  isDue(fingerprint: string): boolean {
    const key = createHash('sha256').update(fingerprint).digest('base64');
    const lastMs = this.#reportedAtMs.peek(key);
    if (lastMs !== undefined && this.#nowMs() - lastMs < everyMs) return false;
    this.#reportedAtMs.set(key, this.#nowMs());
    return true;
  }
}
