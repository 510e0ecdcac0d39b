/** The keys by which work is counted. */
export interface CallerKeys {
  /** The id of a user or device, or an address. */
  readonly caller: string;
  /** The id of the project of a device; undefined for whoever is no device. */
  readonly projectId?: string | undefined;
}

interface CallerSemaphoreOptions {
  /** How many pieces of work run at a time, of all callers and of one. */
  readonly inAll: number;
  readonly ofCaller: number;
  /** How many run at a time of the devices of one project, and of all devices; as many as in all if absent. */
  readonly ofProject?: number;
  readonly ofDevices?: number;
  /** How many wait: of one caller, of all devices, and in all; any number if absent. */
  readonly waitingOfCaller?: number;
  readonly waitingOfDevices?: number;
  readonly waiting?: number;
  /** How long work waits at most, in milliseconds; as long as it takes if absent. */
  readonly maxWaitMs?: number;
  /** Makes the error for work that may not wait, or waits no longer. */
  readonly full?: () => Error;
}

interface Waiting {
  readonly keys: CallerKeys;
  /** In which order work has arrived. */
  readonly nth: number;
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

/** The devices of one project together, or one other caller. */
interface Party {
  readonly key: string;
  readonly hasDevices: boolean;
  running: number;
  /** In order of arrival. */
  readonly waiting: Waiting[];
}

interface Counts {
  running: number;
  waiting: number;
}

/**
 * Limits how many pieces of work run at the same time: in all, of all devices, of the devices of one project, and of one caller. The others wait. Next is the work of the party with
 * the fewest running, and then the oldest; a party is a project with its devices, or another caller. When too many wait, the newest work of the party with the most is refused, so nobody fills
 * the queue for others. It keeps no state of callers without work.
 */
export class CallerSemaphore {
  readonly #options: CallerSemaphoreOptions;
  /** Whether only the caller's own work counts: then each caller is a party, and an end of work lets only that caller's next work begin. */
  readonly #isPerCaller: boolean;
  readonly #callers = new Map<string, Counts>();
  readonly #parties = new Map<string, Party>();
  readonly #waitingParties = new Set<Party>();
  readonly #all: Counts = { running: 0, waiting: 0 };
  readonly #devices: Counts = { running: 0, waiting: 0 };
  #arrivals = 0;

  constructor(options: CallerSemaphoreOptions) {
    this.#options = options;
    const { inAll, ofProject, ofDevices, waiting, waitingOfDevices } = options;
    const shared = [ofProject, ofDevices, waiting, waitingOfDevices];
    this.#isPerCaller = inAll === Infinity && shared.every((limit) => limit === undefined);
  }

  /** How many callers have work that runs or waits. */
  get size(): number {
    return this.#callers.size;
  }

  /** Takes a place for a caller; fulfilled when there is one, undefined if there was one. Throws, or is rejected with, the error of `full` when too much work waits, or for too long. */
  acquire(keys: CallerKeys): Promise<void> | undefined {
    const party = this.#partyOf(keys) ?? this.#newParty(keys);
    if (!this.#fits(party, keys.caller)) return this.#wait(party, keys);
    this.#count(party, keys, 'running', 1);
    return undefined;
  }

  /** Gives a place back that was taken by `acquire`. */
  release(keys: CallerKeys): void {
    const party = this.#partyOf(keys);
    if (party === undefined) return;
    this.#count(party, keys, 'running', -1);
    const candidates = this.#isPerCaller ? [party] : this.#waitingParties;
    for (let next = this.#next(candidates); next !== undefined; next = this.#next(candidates)) {
      this.#leave(next.party, next.work);
      this.#count(next.party, next.work.keys, 'running', 1);
      next.work.start();
    }
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

  #partyOf({ caller, projectId }: CallerKeys): Party | undefined {
    return this.#parties.get(this.#isPerCaller ? caller : (projectId ?? caller));
  }

  #newParty({ caller, projectId }: CallerKeys): Party {
    const hasDevices = projectId !== undefined && !this.#isPerCaller;
    return { key: hasDevices ? projectId : caller, hasDevices, running: 0, waiting: [] };
  }

  #fits(party: Party, caller: string): boolean {
    const { inAll, ofCaller, ofProject = inAll, ofDevices = inAll } = this.#options;
    return (
      this.#all.running < inAll &&
      (this.#callers.get(caller)?.running ?? 0) < ofCaller &&
      (!party.hasDevices || (party.running < ofProject && this.#devices.running < ofDevices))
    );
  }

  #wait(party: Party, keys: CallerKeys): Promise<void> {
    this.#makeRoom(party, keys.caller);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { maxWaitMs } = this.#options;
    const timer =
      maxWaitMs === undefined ? undefined : setTimeout(() => this.#refuse(party, work), maxWaitMs);
    const work: Waiting = {
      keys,
      nth: (this.#arrivals += 1),
      start: () => (clearTimeout(timer), resolve()),
      refuse: (error) => (clearTimeout(timer), reject(error)),
    };
    party.waiting.push(work);
    this.#waitingParties.add(party);
    this.#count(party, keys, 'waiting', 1);
    return promise;
  }

  /** Throws the error of `full` where the work may not wait. */
  #makeRoom(party: Party, caller: string): void {
    const { waitingOfCaller = Infinity, waitingOfDevices = Infinity, waiting = Infinity } = this.#options;
    if ((this.#callers.get(caller)?.waiting ?? 0) >= waitingOfCaller) throw this.#full();
    if (party.hasDevices && this.#devices.waiting >= waitingOfDevices) this.#refuseOneOf(party, true);
    if (this.#all.waiting >= waiting) this.#refuseOneOf(party, false);
  }

  /** Refuses the newest work of the party with the most, for a party with clearly less. */
  #refuseOneOf(party: Party, onlyDevices: boolean): void {
    let largest = party;
    for (const one of this.#waitingParties)
      if ((one.hasDevices || !onlyDevices) && one.waiting.length > largest.waiting.length) largest = one;
    const newest = largest.waiting.at(-1);
    if (newest === undefined || largest.waiting.length <= party.waiting.length + 1) throw this.#full();
    this.#refuse(largest, newest);
  }

  #refuse(party: Party, work: Waiting): void {
    this.#leave(party, work);
    work.refuse(this.#full());
  }

  #next(candidates: Iterable<Party>): { readonly party: Party; readonly work: Waiting } | undefined {
    let next: { readonly party: Party; readonly work: Waiting } | undefined;
    if (this.#all.running >= this.#options.inAll) return undefined;
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
    // The work of a party without devices has one caller.
    if (!party.hasDevices) {
      const [first] = party.waiting;
      return first !== undefined && this.#fits(party, first.keys.caller) ? first : undefined;
    }
    return party.waiting.find(({ keys }) => this.#fits(party, keys.caller));
  }

  #leave(party: Party, work: Waiting): void {
    const index = party.waiting.indexOf(work);
    if (index < 0) return;
    party.waiting.splice(index, 1);
    if (party.waiting.length === 0) this.#waitingParties.delete(party);
    this.#count(party, work.keys, 'waiting', -1);
  }

  #count(party: Party, { caller }: CallerKeys, what: keyof Counts, by: 1 | -1): void {
    const counts = this.#callers.get(caller) ?? { running: 0, waiting: 0 };
    counts[what] += by;
    if (counts.running + counts.waiting === 0) this.#callers.delete(caller);
    else if (by === 1) this.#callers.set(caller, counts);
    this.#all[what] += by;
    if (party.hasDevices) this.#devices[what] += by;
    if (what === 'running') party.running += by;
    if (party.running + party.waiting.length === 0) this.#parties.delete(party.key);
    else if (by === 1) this.#parties.set(party.key, party);
  }

  #full(): Error {
    return this.#options.full?.() ?? new Error('Too much work is waiting.');
  }
}
