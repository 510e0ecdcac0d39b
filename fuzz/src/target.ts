import type { Random } from './Random.ts';

/** Something that takes bytes from strangers. Every sequence of bytes is an input, so that any part of one is one too. */
export interface Target {
  readonly name: string;
  /** How many inputs of strangers a run of this input stands for, such as the messages in it. */
  count(input: Uint8Array): number;
  /** A well-formed input, for others to be made from. */
  sample(random: Random): Uint8Array;
  /** Takes the input; rejected or throws when a promise is broken. Answers what happened, in a few words that many inputs share. */
  run(input: Uint8Array): string | Promise<string>;
}

/** Throws with this sentence unless it holds. */
export function must(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Error(sentence);
}
