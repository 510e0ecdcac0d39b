import { ActionError, events } from '@corral/contract';
import { networkOf } from '../auth/network.ts';
import { waitInWords } from '../auth/wait-in-words.ts';
import { maxKeys, RecentKeys } from '../limits/bucket.ts';
import { callerKey } from '../limits/limit.ts';
import { limits } from '../limits/table.ts';
import type { CommittedEvent } from '../platform/events/bus.ts';
import type { RowCount } from './audit.ts';
import type { Caller } from './executor.ts';
import type { Internal } from './handler.ts';

/** How long a user is refused before one command asks the database again, since the quota may be another. */
const askAgainAfterMs = 5_000;

/** These end a right, stop what goes on, or change the quota: whoever is over it because of a stolen token or a mistake must still be able to. */
const alwaysAllowed: ReadonlySet<string> = new Set([
  'users_DeleteUserToken',
  'users_TerminateUserSession',
  'users_SetUserPassword',
  'users_SetUserIsDisabled',
  'projects_DeleteDeploymentToken',
  'instance_SetInstanceSettingRaw',
  'fleet_CancelChange',
  'fleet_CancelOperation',
  'fleet_PauseOperation',
]);

/** These add a row for each of many devices: with a full quota not one begins. */
const addsManyRows: ReadonlySet<string> = new Set(['fleet_ApplyChange', 'fleet_UndoChange']);

/** Refuses a command that would add many rows for a user who turns out to have reached the quota when it begins. */
export function mustNotAddMany(name: string, fullUntil: Date | undefined, now: Date): void {
  if (fullUntil !== undefined && addsManyRows.has(name))
    throw tooManyRows(fullUntil.getTime() - now.getTime());
}

interface Full {
  readonly endsAtMs: number;
  readonly askAtMs: number;
}

/**
 * Limits the rows that the commands of a user add to the audit log within an hour. The database counts them for all nodes, when a command begins; this remembers who has
 * reached the quota, so that further commands cost nothing.
 */
export class RecordedRows {
  /** Rows of events, which are counted with the next command. */
  readonly #uncounted = new RecentKeys<number>(maxKeys);
  readonly #full = new RecentKeys<Full>(maxKeys);

  /** What a command that begins adds to the count of its user; undefined for callers without a quota. Throws an `ActionError` of kind Throttled for a user who has reached it. */
  begin(caller: Caller, name: string, now: Date): RowCount | undefined {
    const subject = subjectOf(caller);
    if (subject === undefined) return undefined;
    if (!alwaysAllowed.has(name)) this.#mustHaveRoom(subject, now.getTime());
    const rows = 1 + (this.#uncounted.peek(subject) ?? 0);
    this.#uncounted.delete(subject);
    return { subject, rows };
  }

  #mustHaveRoom(subject: string, nowMs: number): void {
    const { endsAtMs = 0, askAtMs = 0 } = this.#full.peek(subject) ?? {};
    if (endsAtMs <= nowMs) return;
    if (nowMs < askAtMs) throw tooManyRows(endsAtMs - nowMs);
    // This command asks; those that come meanwhile are refused.
    this.#full.set(subject, { endsAtMs, askAtMs: nowMs + askAgainAfterMs });
  }

  /** Notes whether a user has reached the quota, and until when. */
  note({ subject }: RowCount, fullUntil: Date | undefined, now: Date): void {
    if (fullUntil === undefined) return this.#full.delete(subject);
    this.#full.set(subject, {
      endsAtMs: fullUntil.getTime(),
      askAtMs: now.getTime() + askAgainAfterMs,
    });
  }

  /** Notes the events of a command. One about several tags counts as many, since each has a place in the history. */
  add(caller: Caller, committed: readonly CommittedEvent[]): void {
    const subject = subjectOf(caller);
    if (subject === undefined) return;
    const rows = committed.reduce((sum, one) => sum + rowsOf(one), this.#uncounted.peek(subject) ?? 0);
    if (rows > 0) this.#uncounted.set(subject, rows);
  }
}

function rowsOf({ event: { name, data } }: CommittedEvent): number {
  if (events[name].persistence !== 'log') return 0;
  // Each device of a change gets a row, which the hub writes later.
  if (name === 'fleet_ChangeStarted' && typeof data['devices'] === 'number') return 1 + data['devices'];
  return Array.isArray(data['tags']) ? data['tags'].length : 1;
}

/** Devices are paced, anonymous callers are counted by network, and the hub calls for others. */
function subjectOf(caller: Caller): string | undefined {
  const { actor } = caller.actor;
  return actor === 'User' || actor === 'UserToken' ? `rows ${callerKey(caller)}` : undefined;
}

function tooManyRows(waitMs: number): ActionError {
  const retryAfterSecs = Math.ceil(waitMs / 1000);
  const sentence = `You have changed too much within an hour for the audit log, which records each change. Go on in ${waitInWords(retryAfterSecs)}, or ask an administrator for a larger quota.`;
  return new ActionError('Throttled', sentence, { retryAfterSecs });
}

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
