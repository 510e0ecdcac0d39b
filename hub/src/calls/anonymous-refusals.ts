import { networkOf } from '../auth/network.ts';
import { limits } from '../limits/table.ts';
import type { Internal } from './internal.ts';

/** Changes nothing; it runs for its row in the audit log. */
export const ReportAnonymousRefusals: Internal<
  { readonly remoteAddress: string; readonly attempts: number },
  void
> = { name: 'cluster_ReportAnonymousRefusals', isRecorded: true, run: async () => {} };

/** The refusals to one network within a minute. */
interface RefusalWindow {
  readonly startedAtMs: number;
  /** How many of them have no row of their own in the audit log. */
  withoutRow: number;
}

/** The dependencies of `AnonymousRefusals`. */
interface RefusalParts {
  /** Writes one row for the refused calls of a network that have no row of their own. */
  readonly report: (remoteAddress: string, attempts: number) => Promise<void>;
  readonly nowMs: () => number;
}

const windowMs = limits.refusalsInAuditLog.windows[0].secs * 1_000;
/** How many networks are counted separately at a time; the others are counted together. */
const maxNetworks = 64;
const others = 'others';

/**
 * Decides which refused anonymous calls, including sign-ins, get a row in the audit log: the first of each network in a minute. The others are counted, and their
 * number is reported when the minute has ended, so that anonymous clients cannot fill the log.
 */
export class AnonymousRefusals {
  readonly #parts: RefusalParts;
  readonly #windows = new Map<string, RefusalWindow>();
  readonly #reports = new Set<Promise<void>>();
  /** One timer for all networks; set while any of them has refusals to report. */
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(parts: RefusalParts) {
    this.#parts = parts;
  }

  /** Counts a refused call; true if it gets a row. */
  count(address: string | undefined): boolean {
    const nowMs = this.#parts.nowMs();
    this.#endWindows(nowMs);
    const network = address === undefined ? 'unknown' : networkOf(address);
    const window = this.#windows.get(network);
    if (window === undefined && this.#windows.size < maxNetworks) {
      this.#windows.set(network, { startedAtMs: nowMs, withoutRow: 0 });
      return true;
    }
    const counted = window ?? this.#windows.get(others) ?? { startedAtMs: nowMs, withoutRow: 0 };
    counted.withoutRow += 1;
    if (window === undefined) this.#windows.set(others, counted);
    this.#reportLater(nowMs);
    return false;
  }

  /** Reports what is counted, and resolves when all reports are written. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#endWindows(Infinity);
    await Promise.all(this.#reports);
  }

  #endWindows(nowMs: number): void {
    for (const [network, { startedAtMs, withoutRow }] of this.#windows) {
      if (nowMs - startedAtMs < windowMs) continue;
      this.#windows.delete(network);
      if (withoutRow > 0) this.#report(network, withoutRow);
    }
  }

  #report(network: string, withoutRow: number): void {
    const report = this.#parts.report(network, withoutRow).finally(() => this.#reports.delete(report));
    this.#reports.add(report);
  }

  /** Schedules the report of the minute that ends first, in case no further refusal comes. */
  #reportLater(nowMs: number): void {
    if (this.#timer !== undefined || this.#isStopped) return;
    const started = [...this.#windows.values()].filter(({ withoutRow }) => withoutRow > 0);
    if (started.length === 0) return;
    const endsAtMs = Math.min(...started.map(({ startedAtMs }) => startedAtMs)) + windowMs;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        const firedAtMs = this.#parts.nowMs();
        this.#endWindows(firedAtMs);
        this.#reportLater(firedAtMs);
      },
      Math.max(1, endsAtMs - nowMs),
    );
    this.#timer.unref();
  }
}
