import type { Random } from './Random.ts';

/** A parser of untrusted bytes. Every byte sequence is a valid input, so that an input can be shortened. */
export interface Target {
  readonly name: string;
  /** How many untrusted inputs one run counts as, such as the messages in it. */
  count(input: Uint8Array): number;
  /** A well-formed input to mutate. */
  sample(random: Random): Uint8Array;
  /** Runs the input; throws or rejects when an invariant is broken. Returns a short description of the outcome, the same for many inputs. */
  run(input: Uint8Array): string | Promise<string>;
}

/** Throws with this sentence unless the condition holds. */
export function assertThat(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Error(sentence);
}
