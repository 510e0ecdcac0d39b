/**
 * A map of bounded size, ordered by last use. At `maxKeys` the entry that was used longest ago is evicted. Keys must be short
 * strings that share no memory with longer ones: a slice keeps its whole source alive.
 */
export class RecentKeys<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #maxKeys: number;

  constructor(maxKeys: number) {
    this.#maxKeys = maxKeys;
  }

  /** How many keys are kept. */
  get size(): number {
    return this.#entries.size;
  }

  /** The value of a key, without counting as a use. */
  peek(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Sets the value of a key, which makes it the one used last. */
  set(key: string, value: Value): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#maxKeys) {
      const { value: oldest } = this.#entries.keys().next();
      if (oldest !== undefined) this.#entries.delete(oldest);
    }
    this.#entries.set(key, value);
  }

  /** Removes a key. */
  delete(key: string): void {
    this.#entries.delete(key);
  }
}
