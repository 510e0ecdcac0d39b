import type { FairSemaphore } from '../limits/fair-semaphore.ts';
import { callerKeys, placesOf } from '../limits/limit.ts';
import { limits } from '../limits/table.ts';
import type { Caller } from './executor.ts';

/** Limits concurrent queries of a caller, so that somebody with hundreds of slow ones delays their own, and slow ones of many leave connections to commands. */
export class QueryLimiter {
  readonly #ofUsers = placesOf(limits.queriesOfUsers);
  readonly #ofDevices = placesOf(limits.queriesOfDevices);

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

  #of({ actor: { actor }, isOfHub }: Caller): FairSemaphore | undefined {
    if (isOfHub === true) return undefined;
    if (actor === 'Device') return this.#ofDevices;
    return actor === 'User' || actor === 'UserToken' ? this.#ofUsers : undefined;
  }
}
