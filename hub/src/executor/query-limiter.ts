import { CallerSemaphore } from '../concurrency/caller-semaphore.ts';
import { callerKeys } from '../concurrency/response-memory.ts';
import type { Caller } from './executor.ts';
import { mostWaitingOfCaller, tooManyWaiting } from './too-many-waiting.ts';

/** How many queries of one caller run at a time; a page of the console opens about ten. Searches are counted apart (searches.ts). */
const queriesOfUser = 16;
const queriesOfDevice = 8;

/** Limits concurrent queries of a caller, so that somebody with hundreds of slow ones delays only their own. */
export class QueryLimiter {
  readonly #ofUsers = limitEach(queriesOfUser);
  readonly #ofDevices = limitEach(queriesOfDevice);

  /**
   * Begins a query of a device, or of a user with all sessions and tokens: fulfilled when fewer of that caller run than may, undefined if it may run at once, as one of the hub itself or of
   * somebody without an account always may. Throws an `ActionError` of kind Throttled when too many wait.
   */
  begin(caller: Caller): Promise<void> | undefined {
    return this.#of(caller)?.acquire(callerKeys(caller));
  }

  /** Ends a query that has begun. */
  end(caller: Caller): void {
    this.#of(caller)?.release(callerKeys(caller));
  }

  #of({ actor: { actor }, isOfHub }: Caller): CallerSemaphore | undefined {
    if (isOfHub === true) return undefined;
    if (actor === 'Device') return this.#ofDevices;
    return actor === 'User' || actor === 'UserToken' ? this.#ofUsers : undefined;
  }
}

function limitEach(ofCaller: number): CallerSemaphore {
  return new CallerSemaphore({
    inAll: Infinity,
    ofCaller,
    waitingOfCaller: mostWaitingOfCaller,
    full: tooManyWaiting('queries'),
  });
}
