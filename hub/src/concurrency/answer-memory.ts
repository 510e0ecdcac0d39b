import { AsyncLocalStorage } from 'node:async_hooks';
import { ActionError, type Actor } from '@corral/contract';

/** Answers up to this size are made as they are asked for. */
export const smallAnswerBytes = 262_144;
/** What a larger answer may need until its size is known; a page of a list has at most so much. */
const largeAnswerBytes = 6 * 1024 * 1024;
/** What all larger answers have at a time, from their second statement until they are sent. The rows, their text and what the driver buffers take about as much again. */
const sharedBytes = 5 * largeAnswerBytes;
/** How many larger answers a caller has at a time, and how many more may wait: of a caller, and in total. */
const ofCallerAtOnce = 2;
const ofCallerWaiting = 16;
const allWaiting = 64;
/** How long an answer waits for its memory, and how long one may take to be sent while others wait. */
const waitMs = 15_000;
const sendMs = 30_000;

/** The memory of one answer. */
export interface AnswerHold {
  /** Runs the work that makes the answer: what it calls reserves memory by `reserveAnswer`. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** The answer has this size and is being sent. `cut` ends that, which happens when others wait and it takes more than 30 s. */
  sending(sizeBytes: number, cut: () => void): void;
  /** Frees the memory; may be called again. */
  free(): void;
}

interface Waiting {
  readonly hold: Hold;
  readonly resolve: () => void;
  readonly reject: (error: ActionError) => void;
}

const current = new AsyncLocalStorage<Hold>();

/** Waits until the answer that is being made may be large. Throws an `ActionError` of kind NotReady if that takes too long. Work that no caller waits for waits for nothing. */
export async function reserveAnswer(): Promise<void> {
  await current.getStore()?.reserve();
}

/** Bounds the memory for large answers: a few are made and sent at a time, and of one caller fewer. Of those that wait, the one whose caller has the least is next. */
export class AnswerMemory {
  readonly #nowMs: () => number;
  readonly #held = new Set<Hold>();
  #waiting: Waiting[] = [];

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** The memory of an answer to a caller; none is reserved yet. */
  open(caller: string): AnswerHold {
    return new Hold(caller, this);
  }

  /** Reserves the memory of a large answer. */
  async take(hold: Hold): Promise<void> {
    if (this.#fits(hold)) return void this.#held.add(hold);
    const ofCaller = this.#waiting.filter(({ hold: { caller } }) => caller === hold.caller);
    if (this.#waiting.length >= allWaiting || ofCaller.length >= ofCallerWaiting) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ hold, resolve, reject });
    const timer = setTimeout(() => this.#refuse(hold), waitMs);
    this.#cutSlow();
    await promise.finally(() => clearTimeout(timer));
  }

  /** The time at which an answer begins to be sent. */
  startSending(): number {
    this.#startNext();
    return this.#nowMs();
  }

  /** Ends a reservation, or the wait for it. */
  end(hold: Hold): void {
    if (this.#held.delete(hold)) this.#startNext();
    else this.#refuse(hold);
  }

  #refuse(hold: Hold): void {
    const waiting = this.#waiting.find((one) => one.hold === hold);
    this.#waiting = this.#waiting.filter((one) => one !== waiting);
    waiting?.reject(busy());
  }

  #fits({ caller }: Hold): boolean {
    const heldBytes = [...this.#held].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    return heldBytes + largeAnswerBytes <= sharedBytes && this.#countOf(caller) < ofCallerAtOnce;
  }

  #countOf(caller: string): number {
    return [...this.#held].filter((hold) => hold.caller === caller).length;
  }

  #startNext(): void {
    for (;;) {
      const next = this.#waiting
        .filter(({ hold }) => this.#fits(hold))
        .toSorted((one, other) => this.#countOf(one.hold.caller) - this.#countOf(other.hold.caller))[0];
      if (next === undefined) return;
      this.#waiting = this.#waiting.filter((one) => one !== next);
      this.#held.add(next.hold);
      next.resolve();
    }
  }

  #cutSlow(): void {
    const since = this.#nowMs() - sendMs;
    for (const hold of this.#held) hold.cutIfSentSince(since);
  }
}

class Hold implements AnswerHold {
  readonly caller: string;
  readonly #memory: AnswerMemory;
  #reserved: Promise<void> | undefined;
  #isFree = false;
  #sending: { readonly startedMs: number; readonly cut: () => void } | undefined;
  #sizeBytes = largeAnswerBytes;

  constructor(caller: string, memory: AnswerMemory) {
    this.caller = caller;
    this.#memory = memory;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return current.run(this, work);
  }

  reserve(): Promise<void> {
    // Nobody waits for the answer any more.
    if (this.#isFree) return Promise.reject(busy());
    return (this.#reserved ??= this.#memory.take(this));
  }

  sending(sizeBytes: number, cut: () => void): void {
    this.#sizeBytes = sizeBytes;
    this.#sending = { startedMs: this.#memory.startSending(), cut };
  }

  cutIfSentSince(sinceMs: number): void {
    if (this.#sending !== undefined && this.#sending.startedMs <= sinceMs) this.#sending.cut();
  }

  free(): void {
    this.#isFree = true;
    // A database connection that was opened for the call has it as its asynchronous context as long as it lives, and the answer would be held by `cut`.
    this.#sending = undefined;
    this.#memory.end(this);
  }
}

function busy(): ActionError {
  return new ActionError(
    'NotReady',
    'Too many large answers are being sent. Try again in a moment, or ask for fewer rows at a time.',
    {
      retryAfterSecs: 5,
    },
  );
}

/** Who shares the memory of answers: a user over all sessions and tokens, a device, those without an account by address. */
export function answerCaller({ actor, origin }: { actor: Actor; origin: { readonly ip?: string } }): string {
  if (actor.actor === 'User' || actor.actor === 'UserToken') return actor.userId;
  if (actor.actor === 'Device') return actor.deviceId;
  return origin.ip ?? actor.actor;
}

/** The memory of the answers of this process. */
export const answerMemory = new AnswerMemory();
