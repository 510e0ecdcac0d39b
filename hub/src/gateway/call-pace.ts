import { ActionError, actionNamed, actions, isNewerName } from '@corral/contract';
import { callerKey } from '../limits/caller.ts';
import type { AllRefusedCalls } from '../limits/refused-calls.ts';
import { longestWaitMs } from '../limits/table.ts';
import type { Caller } from '../executor/executor.ts';
import { isFaultOfCaller, toNewerError } from '../executor/failures.ts';
import { isRecordedCall } from '../executor/is-recorded-call.ts';

/** When a call over a link may run. */
export interface PacedCall {
  /** How long the call waits before it begins, in milliseconds. */
  readonly delayMs: number;
  /** Runs the call, and counts it if it is refused. Rejected with an `ActionError` of kind Throttled, without running it, when too many calls of the caller wait. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** A call that does not wait and is not counted. */
export const unpaced: PacedCall = { delayMs: 0, run: (work) => work() };

/**
 * Limits the rate of refused calls of each caller over all its links, and the rate of recorded commands of each device. All calls of a caller above its rate wait, so that no
 * peer can fill the audit log.
 */
export class CallPace {
  readonly #refused: AllRefusedCalls;
  #count = 0;

  constructor(refused: AllRefusedCalls) {
    this.#refused = refused;
  }

  /** How many calls had to wait or were refused. */
  get count(): number {
    return this.#count;
  }

  /** Schedules the next call of a caller. */
  next(caller: Caller, name: string): PacedCall {
    const key = callerKey(caller);
    const refused = caller.actor.actor === 'Device' ? this.#refused.devices : this.#refused.users;
    const isCounted = refused.isBehind(key) || isRecordedOfDevice(caller, name);
    const delayMs = isCounted ? refused.waitMs(key) : 0;
    if (delayMs !== 0) this.#count += 1;
    // After an immediate refusal the caller would send the next call immediately.
    if (delayMs === undefined)
      return { delayMs: longestWaitMs, run: () => Promise.reject(tooMany(caller, name)) };
    if (isCounted) return { delayMs, run: (work) => work() };
    return { delayMs, run: (work) => countingRefusal(work, () => refused.charge(key)) };
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

/** The recorded commands of users have a quota in the database, which is far above what people do; a device may be broken or stolen. */
function isRecordedOfDevice({ actor }: Caller, name: string): boolean {
  const action = actor.actor === 'Device' ? actionNamed(name) : undefined;
  if (action === undefined) return false;
  return isRecordedCall(actions[action], actor);
}

function tooMany({ actor }: Caller, name: string): unknown {
  const which =
    actor.actor === 'Device'
      ? 'This device makes too many calls that are refused or recorded in the audit log'
      : 'This user makes too many calls that are refused';
  const error = new ActionError('Throttled', `${which}. Try again in 5 seconds.`, { retryAfterSecs: 5 });
  return isNewerName(name) ? toNewerError(error) : error;
}
