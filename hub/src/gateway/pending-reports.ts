import { createHash } from 'node:crypto';
import { RecentKeys } from '../limits/recent-keys.ts';

const everyMs = 60 * 60_000;
const maxDevices = 10_000;

/**
 * Decides when devices with a pending certificate are logged. They reconnect every half minute, perhaps for days, so each is logged at its
 * first attempt and then once an hour.
 */
export class PendingReports {
  readonly #reportedAtMs = new RecentKeys<number>(maxDevices);
  readonly #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Whether a device is to be logged now; if so, it counts as logged. The fingerprint is a secret, of which only a digest is kept. */
  takeDue(fingerprint: string): boolean {
    const key = createHash('sha256').update(fingerprint).digest('base64');
    const lastMs = this.#reportedAtMs.peek(key);
    if (lastMs !== undefined && this.#nowMs() - lastMs < everyMs) return false;
    this.#reportedAtMs.set(key, this.#nowMs());
    return true;
  }
}
