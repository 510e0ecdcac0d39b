/** The maximum nesting of objects and lists. */
export const maxJsonDepth = 32;
/** The maximum number of values of a document, each object and list counted twice; parsing and validating them takes less than 50 ms. */
export const maxJsonValues = 100_000;
/** The maximum number of keys of all objects of a document; a key costs about eight times as much as a value. */
export const maxJsonKeys = 20_000;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;

/** Limits the cost of parsing a JSON document: checks its bytes as they arrive, before they are parsed. */
export class JsonScan {
  #depth = 0;
  #values = 1;
  #isInString = false;
  #isEscaped = false;
  #keys = 0;

  /** The number of keys: of colons outside of strings. */
  get keyCount(): number {
    return this.#keys;
  }

  /** Takes the next bytes; returns which limit they exceed, if any, as the end of a sentence about the document. */
  push(bytes: Uint8Array): string | undefined {
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#isInString) {
        at = this.#skipString(bytes, at);
        continue;
      }
      const byte = bytes[at] ?? 0;
      if (byte === quote) this.#isInString = true;
      else if (byte === comma) this.#values += 1;
      else if (byte === colon) this.#keys += 1;
      // Both kinds of brackets differ in one bit: [ ] are 5b 5d, { } are 7b 7d.
      else if ((byte | 0x20) === 0x7b) this.#open();
      else if ((byte | 0x20) === 0x7d) this.#depth -= 1;
      if (this.#depth > maxJsonDepth) break;
    }
    return this.#problem();
  }

  #open(): void {
    this.#depth += 1;
    this.#values += 1;
  }

  /** The position of the quote that ends the string, or the end of the bytes. */
  #skipString(bytes: Uint8Array, from: number): number {
    let at = from;
    if (this.#isEscaped) at += 1;
    this.#isEscaped = false;
    while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
    this.#isEscaped = at > bytes.length;
    this.#isInString = at >= bytes.length;
    return at;
  }

  #problem(): string | undefined {
    if (this.#depth > maxJsonDepth) return `is nested deeper than ${maxJsonDepth} levels`;
    if (this.#values > maxJsonValues) return `has more than ${maxJsonValues} values`;
    return this.#keys > maxJsonKeys ? `has more than ${maxJsonKeys} keys` : undefined;
  }
}
