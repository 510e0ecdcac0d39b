import { messageOf } from '../ui/form/message-of.ts';
import { partsCopy } from './copy.ts';

/** How many rows a bulk action takes: its dialog lists each of them. */
export const maxBulkItems = 500;

/** One of the rows that a bulk action is for. */
export interface BulkItem {
  readonly key: string;
  readonly name: string;
  readonly perform: () => Promise<unknown>;
}

/** The state of an item: `failure` is the sentence why it failed. */
export type BulkResult = 'running' | 'done' | { readonly failure: string };

/** The sentence about the items that failed. */
export function failureOf(failed: readonly BulkItem[], total: number): string {
  return partsCopy.bulk.failed(
    failed.map(({ name }) => name),
    total,
  );
}

/** How many calls of a bulk action are under way at a time. */
const atOnce = 4;

let runs = 0;

/** A bulk action: performs each of its items in a call of its own, so that one may fail while the others are done. */
export class BulkRun {
  readonly items: readonly BulkItem[];
  /** The id of the toast with its progress, and of that with its result. */
  readonly toastId: string = `bulk-${(runs += 1)}`;
  #isStopped = false;
  #results: ReadonlyMap<string, BulkResult>;
  readonly #listeners = new Set<() => void>();

  /** Keeps the items that are done in `before`, the results of an earlier run. */
  constructor(items: readonly BulkItem[], before: ReadonlyMap<string, BulkResult> = new Map()) {
    this.items = items;
    this.#results = new Map([...before].filter(([, result]) => result === 'done'));
  }

  /** The results so far by the keys of the items; a new map after each change. */
  readonly results = (): ReadonlyMap<string, BulkResult> => this.#results;

  /** The items that are done. */
  done(): readonly BulkItem[] {
    return this.items.filter(({ key }) => this.#results.get(key) === 'done');
  }

  /** The items that failed. */
  failed(): readonly BulkItem[] {
    return this.items.filter(({ key }) => typeof this.#results.get(key) === 'object');
  }

  /** Whether calls are under way. */
  isRunning(): boolean {
    return [...this.#results.values()].includes('running');
  }

  /** Whether `stop` was called. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Performs no further items, now or later; those under way still end. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Calls the listener after each change of a result; returns a function that stops this. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Forgets why an item failed, for example because what it does was edited. */
  forgetFailure(key: string): void {
    if (typeof this.#results.get(key) !== 'object') return;
    this.#show(new Map([...this.#results].filter(([other]) => other !== key)));
  }

  /** Performs all items that are not done yet until `stop`, and returns those that failed. */
  async start(): Promise<readonly BulkItem[]> {
    const waiting = this.items.filter(({ key }) => this.#results.get(key) !== 'done');
    let next = 0;
    const take = (): BulkItem | undefined => (this.#isStopped ? undefined : waiting[next++]);
    const work = async (): Promise<void> => {
      for (let item = take(); item !== undefined; item = take()) await this.#perform(item);
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    return this.failed();
  }

  async #perform({ key, perform }: BulkItem): Promise<void> {
    this.#set(key, 'running');
    try {
      await perform();
      this.#set(key, 'done');
    } catch (error) {
      this.#set(key, { failure: messageOf(error) });
    }
  }

  #set(key: string, result: BulkResult): void {
    this.#show(new Map(this.#results).set(key, result));
  }

  #show(results: ReadonlyMap<string, BulkResult>): void {
    this.#results = results;
    for (const listener of this.#listeners) listener();
  }
}
