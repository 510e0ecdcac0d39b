const maxExamples = 20;

/** The number of objects with one kind of problem, and the first ones. */
export interface Tally {
  readonly count: number;
  readonly examples: readonly string[];
}

/** Counts objects by kind, with a bounded number of examples. */
export class Tallies<Kind extends string> {
  readonly #found = new Map<Kind, { count: number; examples: string[] }>();

  /** Counts an object, or `count` of them, with one example. */
  add(kind: Kind, example: string, count = 1): void {
    const tally = this.#found.get(kind) ?? { count: 0, examples: [] };
    tally.count += count;
    if (tally.examples.length < maxExamples) tally.examples.push(example);
    this.#found.set(kind, tally);
  }

  of(kind: Kind): Tally {
    return this.#found.get(kind) ?? { count: 0, examples: [] };
  }
}
