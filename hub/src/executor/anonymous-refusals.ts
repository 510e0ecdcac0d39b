import { networkOf } from '../auth/network.ts';

/** The refusals to one network within a minute. */
interface RefusalWindow {
  readonly startedAtMs: number;
  /** How many of them have no row of their own in the audit log. */
  withoutRow: number;
}

/** Writes the row of a network: how many more calls were refused to it than have rows. */
type Report = (remoteAddress: string, attempts: number) => void;

const windowMs = 60_000;
/** Networks with rows of their own at a time; the others are counted together. */
const maxNetworks = 64;
const others = 'others';

/**
 * Decides which refused anonymous calls get a row in the audit log: the first of each network in a minute. The others are counted, and their
 * number is reported with the next refusal after the minute, so that anonymous clients cannot fill the log.
 */
export class AnonymousRefusals {
  readonly #report: Report;
  readonly #windows = new Map<string, RefusalWindow>();

  constructor(report: Report) {
    this.#report = report;
  }

  /** Counts a refused call; true if it gets a row. */
  count(address: string | undefined, nowMs: number): boolean {
    this.#endWindows(nowMs);
    const network = address === undefined ? 'unknown' : networkOf(address);
    const window = this.#windows.get(network);
    if (window !== undefined) {
      window.withoutRow += 1;
      return false;
    }
    if (this.#windows.size < maxNetworks) {
      this.#windows.set(network, { startedAtMs: nowMs, withoutRow: 0 });
      return true;
    }
    const rest = this.#windows.get(others) ?? { startedAtMs: nowMs, withoutRow: 0 };
    rest.withoutRow += 1;
    this.#windows.set(others, rest);
    return false;
  }

  #endWindows(nowMs: number): void {
    for (const [network, { startedAtMs, withoutRow }] of this.#windows) {
      if (nowMs - startedAtMs < windowMs) continue;
      this.#windows.delete(network);
      if (withoutRow > 0) this.#report(network, withoutRow);
    }
  }
}
