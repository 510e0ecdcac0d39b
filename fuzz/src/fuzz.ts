import { readCorpus } from './corpus.ts';
import { minimise } from './minimise.ts';
import { mutate } from './mutate.ts';
import { Random } from './Random.ts';
import type { Target } from './target.ts';

/** How a target is fuzzed. */
export interface FuzzPlan {
  readonly target: Target;
  readonly seed: number;
  /** The number of untrusted inputs, as the target counts them. */
  readonly runs: number;
  /** Called for the first input of each outcome. */
  readonly onOutcome?: (outcome: string, input: Uint8Array) => void;
}

/** The result of fuzzing a target. */
export interface FuzzResult {
  readonly runs: number;
  /** How often each outcome occurred. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly failure: FuzzFailure | undefined;
}

/** A failing input, minimised. */
export interface FuzzFailure {
  readonly message: string;
  readonly input: Uint8Array;
}

/** One in this many inputs is well-formed, so that deeper states are reached. */
const wellFormedOneIn = 8;

/** Runs a target with inputs generated from the seed, up to the first failure. */
export async function fuzz({ target, seed, runs, onOutcome }: FuzzPlan): Promise<FuzzResult> {
  const random = new Random(seed);
  const kept = readCorpus(target.name).map(({ bytes }) => bytes);
  const outcomes = new Map<string, number>();
  let done = 0;
  while (done < runs) {
    const input = nextInput(target, random, kept);
    done += Math.max(1, target.count(input));
    try {
      const outcome = await target.run(input);
      if (!outcomes.has(outcome)) onOutcome?.(outcome, input);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    } catch (error) {
      return { runs: done, outcomes, failure: await smallest(target, input, error) };
    }
  }
  return { runs: done, outcomes, failure: undefined };
}

function nextInput(target: Target, random: Random, kept: readonly Uint8Array[]): Uint8Array {
  const isFromCorpus = kept.length > 0 && random.oneIn(3);
  const base = isFromCorpus ? random.pick(kept) : target.sample(random);
  if (random.oneIn(wellFormedOneIn)) return base;
  return mutate(base, random, kept.length > 0 && random.oneIn(2) ? random.pick(kept) : target.sample(random));
}

async function smallest(target: Target, input: Uint8Array, error: unknown): Promise<FuzzFailure> {
  const fails = async (candidate: Uint8Array): Promise<boolean> => {
    try {
      await target.run(candidate);
      return false;
    } catch {
      return true;
    }
  };
  const message = error instanceof Error ? error.message : String(error);
  return { message, input: (await fails(input)) ? await minimise(input, fails) : input };
}
