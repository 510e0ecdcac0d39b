import type { CallerKeys } from './limit.ts';

/** How many pieces of work may run and wait; any number of what is absent. */
export interface Places {
  /** How many run at a time: of all callers, of one, and of one group of callers. */
  readonly inAll?: number;
  readonly ofCaller?: number;
  readonly ofGroup?: number;
  /** How many wait: of all callers, and of one. */
  readonly waiting?: number;
  readonly waitingOfCaller?: number;
  /** How long work waits at most, in milliseconds. */
  readonly maxWaitMs?: number;
}

interface Waiting {
  readonly keys: CallerKeys;
  /** In which order work has arrived. */
  readonly nth: number;
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

/** A group of callers together, or a caller that is in none. */
interface Party {
  readonly key: string;
  running: number;
  /** In order of arrival. */
  readonly waiting: Waiting[];
}

interface Counts {
  running: number;
  waiting: number;
}

/**
 * Limits how many pieces of work run at the same time: in all, of a group, and of one caller. The others wait. Next is the work of the party with the fewest running, and then the oldest. When too many
 * wait, the newest work of the party with the most is refused, so nobody fills the queue for others. It keeps no state of callers without work.
 */
export class FairSemaphore {
  readonly #places: Required<Places>;
  readonly #refusal: (caller: string) => Error;
  readonly #callers = new Map<string, Counts>();
  readonly #parties = new Map<string, Party>();
  readonly #waitingParties = new Set<Party>();
  readonly #all: Counts = { running: 0, waiting: 0 };
  #arrivals = 0;

  /** `refusal` makes the error for work that may not wait, or waits no longer. */
  constructor(places: Places, refusal: (caller: string) => Error) {
    const { inAll = Infinity, ofCaller = Infinity, ofGroup = Infinity } = places;
    const { waiting = Infinity, waitingOfCaller = Infinity, maxWaitMs = Infinity } = places;
    this.#places = { inAll, ofCaller, ofGroup, waiting, waitingOfCaller, maxWaitMs };
    this.#refusal = refusal;
  }

  /** How many callers have work that runs or waits. */
  get size(): number {
    return this.#callers.size;
  }

  /** How much work runs. */
  get running(): number {
    return this.#all.running;
  }

  /** How much work of a caller runs and waits. */
  of(caller: string): Readonly<Counts> {
    return this.#callers.get(caller) ?? { running: 0, waiting: 0 };
  }

  /** Takes a place for a caller if there is one now; false if not. */
  tryAcquire(keys: CallerKeys): boolean {
    const party = this.#partyOf(keys);
    if (!this.#fits(party, keys)) return false;
    this.#count(party, keys, 'running', 1);
    return true;
  }

  /**
   * Takes a place for a caller; fulfilled when there is one, undefined if there was one. Throws, or is rejected with, the refusal when too much work waits, or for too long, and rejected with the reason
   * of the signal.
   */
  acquire(keys: CallerKeys, signal?: AbortSignal): Promise<void> | undefined {
    return this.tryAcquire(keys) ? undefined : this.#wait(this.#partyOf(keys), keys, signal);
  }

  /** Gives a place back that was taken. */
  release(keys: CallerKeys): void {
    const party = this.#partyOf(keys);
    // Where there are places for all, only the same party waits for this one.
    const candidates = this.#places.inAll === Infinity ? [party] : this.#waitingParties;
    this.#count(party, keys, 'running', -1);
    for (let next = this.#next(candidates); next !== undefined; next = this.#next(candidates)) {
      this.#leave(next.party, next.work);
      this.#count(next.party, next.work.keys, 'running', 1);
      next.work.start();
    }
  }

  /** As `acquire`; resolves with the function that gives the place back, which may be called again. */
  async take(keys: CallerKeys, signal?: AbortSignal): Promise<() => void> {
    await this.acquire(keys, signal);
    let isTaken = true;
    return () => {
      if (isTaken) this.release(keys);
      isTaken = false;
    };
  }

  /** Runs the work of a caller when its turn comes; rejected like `acquire`. */
  async run<Result>(keys: CallerKeys, work: () => Promise<Result>): Promise<Result> {
    const turn = this.acquire(keys);
    if (turn !== undefined) await turn;
    try {
      return await work();
    } finally {
      this.release(keys);
    }
  }

  #partyOf({ caller, group = caller }: CallerKeys): Party {
    return this.#parties.get(group) ?? { key: group, running: 0, waiting: [] };
  }

  #fits(party: Party, { caller, group }: CallerKeys): boolean {
    const { inAll, ofCaller, ofGroup } = this.#places;
    return (
      this.#all.running < inAll &&
      this.of(caller).running < ofCaller &&
      (group === undefined || party.running < ofGroup)
    );
  }

  #wait(party: Party, keys: CallerKeys, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    this.#makeRoom(party, keys.caller);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { maxWaitMs } = this.#places;
    const refuse = (): void => this.#refuse(party, work, this.#refusal(keys.caller));
    const timer = maxWaitMs === Infinity ? undefined : setTimeout(refuse, maxWaitMs);
    const onAbort = (): void => this.#refuse(party, work, signal?.reason as Error);
    signal?.addEventListener('abort', onAbort, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const work: Waiting = {
      keys,
      nth: (this.#arrivals += 1),
      start: () => (settle(), resolve()),
      refuse: (error) => (settle(), reject(error)),
    };
    party.waiting.push(work);
    this.#waitingParties.add(party);
    this.#count(party, keys, 'waiting', 1);
    return promise;
  }

  /** Refuses the newest work of the party with the most, for a party with clearly less. Throws the refusal where the work may not wait. */
  #makeRoom(party: Party, caller: string): void {
    const { waiting, waitingOfCaller } = this.#places;
    if (this.of(caller).waiting >= waitingOfCaller) throw this.#refusal(caller);
    if (this.#all.waiting < waiting) return;
    let largest = party;
    for (const one of this.#waitingParties) if (one.waiting.length > largest.waiting.length) largest = one;
    const newest = largest.waiting.at(-1);
    if (newest === undefined || largest.waiting.length <= party.waiting.length + 1)
      throw this.#refusal(caller);
    this.#refuse(largest, newest, this.#refusal(newest.keys.caller));
  }

  #refuse(party: Party, work: Waiting, error: Error): void {
    this.#leave(party, work);
    work.refuse(error);
  }

  #next(candidates: Iterable<Party>): { readonly party: Party; readonly work: Waiting } | undefined {
    let next: { readonly party: Party; readonly work: Waiting } | undefined;
    for (const party of candidates) {
      if (next !== undefined && party.running > next.party.running) continue;
      const work = this.#firstThatFits(party);
      if (work === undefined) continue;
      if (next === undefined || party.running < next.party.running || work.nth < next.work.nth)
        next = { party, work };
    }
    return next;
  }

  #firstThatFits(party: Party): Waiting | undefined {
    const [first] = party.waiting;
    // All of the work of a caller that is in no group fits, or none.
    if (first?.keys.group === undefined)
      return first !== undefined && this.#fits(party, first.keys) ? first : undefined;
    return party.waiting.find(({ keys }) => this.#fits(party, keys));
  }

  #leave(party: Party, work: Waiting): void {
    party.waiting.splice(party.waiting.indexOf(work), 1);
    if (party.waiting.length === 0) this.#waitingParties.delete(party);
    this.#count(party, work.keys, 'waiting', -1);
  }

  #count(party: Party, { caller }: CallerKeys, what: keyof Counts, by: 1 | -1): void {
    const counts = this.#callers.get(caller) ?? { running: 0, waiting: 0 };
    counts[what] += by;
    if (counts.running + counts.waiting === 0) this.#callers.delete(caller);
    else this.#callers.set(caller, counts);
    this.#all[what] += by;
    if (what === 'running') party.running += by;
    if (party.running + party.waiting.length === 0) this.#parties.delete(party.key);
    else this.#parties.set(party.key, party);
  }
}
