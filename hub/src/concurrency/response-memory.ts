import { AsyncLocalStorage } from 'node:async_hooks';
import { ActionError } from '@corral/contract';
import type { CallerKeys } from '../limits/caller.ts';

/** Responses up to this size need no reservation. */
export const smallResponseBytes = 262_144;
/** What is reserved for a larger response until its size is known: the maximum of a page of a list. */
const largeResponseBytes = 6 * 1024 * 1024;
/** What all larger responses may reserve together, from their second statement until they are sent. Their rows, text and driver buffers take about as much again. */
const sharedBytes = 5 * largeResponseBytes;
/** How much of it the devices of one project may reserve, and all devices, so that people always find some. */
const projectBytes = 2 * largeResponseBytes;
const devicesBytes = 3 * largeResponseBytes;
/** How many larger responses a caller may have at a time, and how many more may wait: per caller or project, of all devices, and in total. */
const maxPerCaller = 2;
const maxWaitingPerParty = 16;
const maxWaitingOfDevices = 32;
const maxWaiting = 64;
/** How long a response waits for its memory, and how long one may take to be sent while others wait. */
const maxWaitMs = 15_000;
const maxSendMs = 30_000;

/** The memory of one response. */
export interface ResponseReservation {
  /** Runs the work that makes the response: what it calls reserves memory by `reserveResponse`. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Notes that the response has this size and is being sent. `cut` aborts the sending; it is called when others wait and the sending takes more than 30 s. */
  sending(sizeBytes: number, cut: () => void): void;
  /** Frees the memory; may be called again. */
  free(): void;
}

interface Waiting {
  readonly reservation: Reservation;
  readonly resolve: () => void;
  readonly reject: (error: ActionError) => void;
}

interface CurrentResponse {
  readonly reservation: Reservation;
  /** Whether it may wait for its memory. */
  readonly mayWait: boolean;
}

const current = new AsyncLocalStorage<CurrentResponse | undefined>();

/** Thrown by `reserveResponse` where it may not wait. */
export class ResponseMemoryTaken extends Error {}

/**
 * Reserves memory for a large response of the current call, and waits for it. Throws an `ActionError` of kind NotReady if that takes too long, and `ResponseMemoryTaken` where it may not wait. Outside
 * a call it resolves at once.
 */
export async function reserveResponse(): Promise<void> {
  const response = current.getStore();
  if (response?.mayWait === false && !response.reservation.canReserve) throw new ResponseMemoryTaken();
  await response?.reservation.reserve();
}

/** Runs a part of a call that may not wait for memory, because it holds what others wait for. */
export function withoutWaiting<Result>(work: () => Promise<Result>): Promise<Result> {
  const response = current.getStore();
  return response === undefined ? work() : current.run({ ...response, mayWait: false }, work);
}

/** The caller for whose call the present work is done, also when that caller has left; undefined for work of the hub itself. */
export function currentCaller(): CallerKeys | undefined {
  return current.getStore()?.reservation.keys;
}

/** Runs work that a call begins but that is done for others too, as work of the hub itself. */
export function outsideCalls<Result>(work: () => Result): Result {
  return current.run(undefined, work);
}

/**
 * Bounds the memory for large responses: only a few are made and sent at a time, and fewer per caller, of the devices of a project, and of all devices. The next one is that of the waiting party with
 * the fewest reservations; a party is a project with its devices, or another caller. When too many wait, the newest one of the party with the most is refused.
 */
export class ResponseMemory {
  readonly #nowMs: () => number;
  readonly #reservations = new Set<Reservation>();
  #waiting: Waiting[] = [];

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** The reservation of a response to a caller; nothing is reserved yet. */
  open(keys: CallerKeys): ResponseReservation {
    return new Reservation(keys, this);
  }

  /** Whether a reservation would not have to wait. */
  hasRoomFor(reservation: Reservation): boolean {
    return this.#reservations.has(reservation) || this.#fits(reservation);
  }

  /** Reserves the memory of a large response. */
  async take(reservation: Reservation): Promise<void> {
    if (this.#fits(reservation)) return void this.#reservations.add(reservation);
    this.#makeRoom(reservation);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ reservation, resolve, reject });
    const timer = setTimeout(() => this.#refuse(reservation), maxWaitMs);
    this.#cutSlow();
    await promise.finally(() => clearTimeout(timer));
  }

  /** The time at which a response begins to be sent. */
  startSending(): number {
    this.#startNext();
    return this.#nowMs();
  }

  /** Ends a reservation, or the wait for it. */
  end(reservation: Reservation): void {
    if (this.#reservations.delete(reservation)) this.#startNext();
    else this.#refuse(reservation);
  }

  #refuse(reservation: Reservation): void {
    const waiting = this.#waiting.find((one) => one.reservation === reservation);
    this.#waiting = this.#waiting.filter((one) => one !== waiting);
    waiting?.reject(busy());
  }

  /** Throws the refusal of a response that may not wait. */
  #makeRoom({ party, isOfDevice }: Reservation): void {
    const countOf = (one: string) =>
      this.#waiting.filter(({ reservation }) => reservation.party === one).length;
    const own = countOf(party);
    if (own >= maxWaitingPerParty) throw busy();
    const ofDevices = this.#waiting.filter(({ reservation }) => reservation.isOfDevice);
    const isFullOfDevices = isOfDevice && ofDevices.length >= maxWaitingOfDevices;
    if (!isFullOfDevices && this.#waiting.length < maxWaiting) return;
    const newest = (isFullOfDevices ? ofDevices : this.#waiting)
      .toReversed()
      .reduce((most, one) => (countOf(one.reservation.party) > countOf(most.reservation.party) ? one : most));
    if (countOf(newest.reservation.party) <= own + 1) throw busy();
    this.#refuse(newest.reservation);
  }

  #fits({ keys, party, isOfDevice }: Reservation): boolean {
    const all = [...this.#reservations];
    const hasRoom = (among: readonly Reservation[], bytes: number) =>
      among.reduce((sum, { sizeBytes }) => sum + sizeBytes, largeResponseBytes) <= bytes;
    return (
      hasRoom(all, sharedBytes) &&
      all.filter(({ keys: { caller } }) => caller === keys.caller).length < maxPerCaller &&
      (!isOfDevice ||
        (hasRoom(
          all.filter((one) => one.party === party),
          projectBytes,
        ) &&
          hasRoom(
            all.filter((one) => one.isOfDevice),
            devicesBytes,
          )))
    );
  }

  #countOf(party: string): number {
    return [...this.#reservations].filter((reservation) => reservation.party === party).length;
  }

  #startNext(): void {
    for (;;) {
      const next = this.#waiting
        .filter(({ reservation }) => this.#fits(reservation))
        .toSorted(
          (one, other) => this.#countOf(one.reservation.party) - this.#countOf(other.reservation.party),
        )[0];
      if (next === undefined) return;
      this.#waiting = this.#waiting.filter((one) => one !== next);
      this.#reservations.add(next.reservation);
      next.resolve();
    }
  }

  #cutSlow(): void {
    const since = this.#nowMs() - maxSendMs;
    for (const reservation of this.#reservations) reservation.cutIfSentSince(since);
  }
}

class Reservation implements ResponseReservation {
  readonly keys: CallerKeys;
  readonly #memory: ResponseMemory;
  #reserved: Promise<void> | undefined;
  #isFree = false;
  #sending: { readonly startedMs: number; readonly cut: () => void } | undefined;
  #sizeBytes = largeResponseBytes;

  constructor(keys: CallerKeys, memory: ResponseMemory) {
    this.keys = keys;
    this.#memory = memory;
  }

  get isOfDevice(): boolean {
    return this.keys.group !== undefined;
  }

  /** The project of a device, or another caller. */
  get party(): string {
    return this.keys.group ?? this.keys.caller;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return current.run({ reservation: this, mayWait: true }, work);
  }

  get canReserve(): boolean {
    return this.#isFree || this.#memory.hasRoomFor(this);
  }

  reserve(): Promise<void> {
    // Nobody waits for the response any more.
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
    // A database connection that was opened during the call keeps this object as its asynchronous context as long as it lives, and `cut` would keep the response.
    this.#sending = undefined;
    this.#memory.end(this);
  }
}

function busy(): ActionError {
  return new ActionError(
    'NotReady',
    'Too many large responses are being sent. Try again in a moment, or ask for fewer rows at a time.',
    {
      retryAfterSecs: 5,
    },
  );
}

/** The memory of the responses of this process. */
export const responseMemory = new ResponseMemory();
