import { ActionError } from '@corral/contract';
import { currentCaller } from '../concurrency/response-memory.ts';
import { FairSemaphore } from '../limits/fair-semaphore.ts';

/** How many of these reads one caller and all devices may have at a time, so that others find a turn. */
const readsOfCaller = 2;
const readsOfDevices = 2;
/** How many wait, and for how long at most, which is as long as for a connection of the pool. */
const maxWaiting = 2_000;
const maxWaitMs = 10_000;

/** Whether a statement outside of a transaction only reads, and waits for nobody. */
function isRead(text: string): boolean {
  return (
    /^[\s(]*(select|with)\s/i.test(text) &&
    !/\sfor (no key |key )?(update|share)|advisory|\b(insert into|update|delete from|merge into)\s/i.test(
      text,
    )
  );
}

/**
 * Limits the reads outside of transactions that have a connection of their own: those that share none because they are slow, or planned each time. So they leave connections of the pool to
 * commands, searches and jobs, however slow they are. A turn is held for one statement, which waits for no other turn. The hub's own reads, which no caller waits for, have no limit.
 */
export class ReadTurns {
  readonly #semaphore: FairSemaphore;

  /** `inAll` is how many of these reads run at a time, of all callers. */
  constructor(inAll: number) {
    this.#semaphore = new FairSemaphore(
      { inAll, ofCaller: readsOfCaller, ofGroup: readsOfDevices, waiting: maxWaiting, maxWaitMs },
      tooManyReads,
    );
  }

  /** Begins a statement of the present caller: resolves with the function that ends its turn. Undefined for one without a limit. Rejected with an `ActionError` of kind NotReady when too many wait, or for too long. */
  async begin(text: string): Promise<(() => void) | undefined> {
    const caller = currentCaller();
    if (caller === undefined || !isRead(text)) return undefined;
    const keys = caller.group === undefined ? caller : { ...caller, group: 'devices' };
    await this.#semaphore.acquire(keys);
    return () => this.#semaphore.release(keys);
  }
}

function tooManyReads(): ActionError {
  return new ActionError('NotReady', 'Too many slow queries are running. Try again in a moment.', {
    retryAfterSecs: 5,
  });
}
