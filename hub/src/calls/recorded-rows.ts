import { ActionError, events } from '@corral/contract';
import { waitInWords } from '../auth/wait-in-words.ts';
import type { CommittedEvent } from '../platform/events/bus.ts';
import { maxKeys, RecentKeys } from '../limits/bucket.ts';
import { callerKey } from '../limits/limit.ts';
import type { RowCount } from './audit-trail.ts';
import type { Caller } from './executor.ts';

/** How long a user is refused before one command asks the database again, since the quota may be another. */
const askAgainAfterMs = 5_000;

/** These end a right, or change the quota: whoever is over it because of a stolen token must still be able to. */
const alwaysAllowed: ReadonlySet<string> = new Set([
  'users_DeleteUserToken',
  'users_TerminateUserSession',
  'users_SetUserPassword',
  'users_SetUserIsDisabled',
  'projects_DeleteDeploymentToken',
  'instance_SetInstanceSettingRaw',
]);

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
