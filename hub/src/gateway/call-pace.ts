import { ActionError, actionNamed, actions, isNewerName, type ActionDefinition } from '@corral/contract';
import { answerCaller } from '../concurrency/answer-memory.ts';
import { maxDelayMs, type RefusalSchedules } from '../concurrency/request-schedule.ts';
import type { Caller } from '../executor/executor.ts';
import { isFaultOfCaller, toNewerError } from '../executor/failures.ts';

/** The turn of one call over a link. */
export interface CallTurn {
  /** How long the call waits before it begins, in milliseconds. */
  readonly delayMs: number;
  /** Does the work of the call, and counts it if it is refused. Rejected with an `ActionError` of kind Throttled, without the work, when too many calls of the caller wait. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** The turn of a call that does not wait and is not counted. */
export const unpaced: CallTurn = { delayMs: 0, run: (work) => work() };

/**
 * Lets a caller, over all its links, have so many refused calls a second, and a device so many commands that the audit log records. All calls of who makes more wait, so that no peer
 * can fill the log.
 */
export class CallPace {
  readonly #callers: RefusalSchedules;
  #count = 0;

  constructor(callers: RefusalSchedules) {
    this.#callers = callers;
  }

  /** How many calls had to wait or were refused. */
  get count(): number {
    return this.#count;
  }

  /** The next turn of a caller, for the call of an action. */
  next(caller: Caller, name: string): CallTurn {
    const key = answerCaller(caller);
    const schedule = caller.actor.actor === 'Device' ? this.#callers.devices : this.#callers.users;
    const isCounted = schedule.isBehind(key) || isRecordedOfDevice(caller, name);
    const delayMs = isCounted ? schedule.nextDelayMs(key) : 0;
    if (delayMs !== 0) this.#count += 1;
    // A refusal that came at once would be followed by the next call at once.
    if (delayMs === undefined)
      return { delayMs: maxDelayMs, run: () => Promise.reject(tooMany(caller, name)) };
    if (isCounted) return { delayMs, run: (work) => work() };
    return { delayMs, run: (work) => countingRefusal(work, () => schedule.charge(key)) };
  }
}

async function countingRefusal<Result>(work: () => Promise<Result>, count: () => void): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isFaultOfCaller(error)) count();
    throw error;
  }
}

/** A person answers for what is recorded; a device may be broken, or in the wrong hands. */
function isRecordedOfDevice({ actor }: Caller, name: string): boolean {
  const action = actor.actor === 'Device' ? actionNamed(name) : undefined;
  if (action === undefined) return false;
  const { kind, audit }: ActionDefinition = actions[action];
  return kind === 'command' && audit === 'recorded';
}

function tooMany({ actor }: Caller, name: string): unknown {
  const which =
    actor.actor === 'Device'
      ? 'This device makes too many calls that are refused or recorded in the audit log'
      : 'This user makes too many calls that are refused';
  const error = new ActionError('Throttled', `${which}. Try again in 5 seconds.`, { retryAfterSecs: 5 });
  return isNewerName(name) ? toNewerError(error) : error;
}
