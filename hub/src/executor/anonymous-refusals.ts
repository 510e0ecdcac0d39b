import { networkOf } from '../auth/network.ts';

/** Refusals to one network within a minute. */
interface Minute {
  readonly startedAtMs: number;
  /** Those that have no row of their own. */
  folded: number;
}

/** Writes the row of a network: how many more calls were refused to it than have rows. */
type Report = (remoteAddress: string, attempts: number) => void;

const minuteMs = 60_000;
/** Networks with rows of their own in a minute; the others are counted together. */
const maxNetworks = 64;
const others = 'others';

/**
 * Decides which refused calls of nobody get a row in the audit log: the first of each network in a minute. The others are counted, and their number is
 * reported with the next refusal after the minute, so that nobody can fill the log.
 */
export class AnonymousRefusals {
  readonly #report: Report;
  readonly #minutes = new Map<string, Minute>();

  constructor(report: Report) {
    this.#report = report;
  }

  /** Counts a refused call; true if it gets a row. */
  count(address: string | undefined, nowMs: number): boolean {
    this.#endMinutes(nowMs);
    const network = address === undefined ? 'unknown' : networkOf(address);
    const minute = this.#minutes.get(network);
    if (minute !== undefined) {
      minute.folded += 1;
      return false;
    }
    if (this.#minutes.size < maxNetworks) {
      this.#minutes.set(network, { startedAtMs: nowMs, folded: 0 });
      return true;
    }
    const rest = this.#minutes.get(others) ?? { startedAtMs: nowMs, folded: 0 };
    rest.folded += 1;
    this.#minutes.set(others, rest);
    return false;
  }

  #endMinutes(nowMs: number): void {
    for (const [network, { startedAtMs, folded }] of this.#minutes) {
      if (nowMs - startedAtMs < minuteMs) continue;
      this.#minutes.delete(network);
      if (folded > 0) this.#report(network, folded);
    }
  }
}
