const maxExamples = 20;

/** How many things of one kind were found, and the first ones. */
export interface Tally {
  readonly count: number;
  readonly examples: readonly string[];
}

/** Counts things of the given kinds; keeps only a few of them, however many there are. */
export class Tallies<Kind extends string> {
  readonly #found = new Map<Kind, { count: number; examples: string[] }>();

  /** Adds `count` things of one kind. */
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
