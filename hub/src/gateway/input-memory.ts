import type { InputRoom } from '@corral/multiplex';
import { createGate, type Gate } from '../gate.ts';
import type { Link } from './link.ts';

/** An input up to this size is read as it comes; of larger ones only so many at a time, in all and of one connection. */
const smallInputBytes = 65_536;
const largeInputsAtOnce = 32;
const largeInputsOfLink = 1;
/** How long a large input may take to arrive, once it is its turn. */
const arrivalTimeoutMs = 30_000;

const nobodyIsRefused = (): Error => new Error('the line has no end');

/** Bounds the memory that the inputs of calls over channels fill: whoever announces much and sends it slowly fills no more than the others. */
export class InputMemory {
  readonly #all: Gate = createGate(largeInputsAtOnce, Infinity, nobodyIsRefused);
  readonly #ofLink = new WeakMap<Link, Gate>();

  /** Waits for room for an input; `onLate` is called when it does not arrive in time. */
  makeRoom(link: Link, inputBytes: number, onLate: () => void): Promise<InputRoom> | undefined {
    if (inputBytes <= smallInputBytes) return undefined;
    const { promise: granted, resolve } = Promise.withResolvers<InputRoom>();
    const held = Promise.withResolvers<void>();
    const hold = (): Promise<void> => {
      const timer = setTimeout(onLate, arrivalTimeoutMs);
      const arrived = (): void => clearTimeout(timer);
      resolve({ arrived, free: () => (arrived(), held.resolve()) });
      return held.promise;
    };
    void this.#gateOf(link).run(() => this.#all.run(hold));
    return granted;
  }

  #gateOf(link: Link): Gate {
    const known = this.#ofLink.get(link);
    if (known !== undefined) return known;
    const gate = createGate(largeInputsOfLink, Infinity, nobodyIsRefused);
    this.#ofLink.set(link, gate);
    return gate;
  }
}
