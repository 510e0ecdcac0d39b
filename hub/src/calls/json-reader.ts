import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ActionError,
  isLongInteger,
  mayHaveLongIntegers,
  parseExactJson,
  quoteLongIntegers,
  restoreLongIntegers,
} from '@corral/contract';
import { JsonScan } from './json-scan.ts';

/** A document up to this size is parsed in the turn of the event loop in which its last bytes arrive. */
const smallDocumentBytes = 65_536;
const nothing = new Uint8Array(0);

/** The name of the document in error messages: the body of a request, or the input of a call over a channel. */
export type DocumentName = 'body' | 'input';

/**
 * Reads one JSON document while its bytes arrive, within the limits of `JsonScan`. One over a limit is dropped at once and never parsed;
 * large ones are parsed in turns of the event loop of their own.
 */
export class JsonReader {
  readonly #name: DocumentName;
  readonly #maxBytes: number;
  readonly #scan: JsonScan;
  #buffer: Uint8Array<ArrayBuffer> = nothing;
  #sizeBytes = 0;
  #refusal: ActionError | undefined;

  constructor(name: DocumentName, maxBytes: number) {
    this.#name = name;
    this.#maxBytes = maxBytes;
    this.#scan = new JsonScan();
  }

  /** Whether the document is refused, whatever follows. */
  get isRefused(): boolean {
    return this.#refusal !== undefined;
  }

  /** Takes the next bytes; those that follow a refusal are dropped. */
  push(bytes: Uint8Array): void {
    if (this.#refusal !== undefined) return;
    if (this.#sizeBytes + bytes.length > this.#maxBytes) return this.refuseSize();
    this.#append(bytes);
    const problem = this.#scan.push(bytes);
    if (problem !== undefined) this.#refuse('Invalid', problem);
  }

  /** Refuses a document that is announced as larger than the limit. */
  refuseSize(): void {
    this.#refuse('TooLarge', `is larger than ${Math.floor(this.#maxBytes / 1024)} KiB`);
  }

  /** Parses what has arrived. Rejected with an `ActionError` of kind TooLarge or Invalid. */
  async end(): Promise<unknown> {
    if (this.#refusal !== undefined) throw this.#refusal;
    const bytes = Buffer.from(this.#buffer.buffer, this.#buffer.byteOffset, this.#sizeBytes);
    this.#buffer = nothing;
    if (bytes.length === 0) throw this.#refusalOf('Invalid', 'is empty; send a JSON object');
    if (!isUtf8(bytes)) throw this.#refusalOf('Invalid', 'is not UTF-8');
    const isLarge = bytes.length > smallDocumentBytes;
    if (isLarge) await nextTurn();
    const value = isLarge
      ? await this.#parseInTurns(bytes.toString())
      : this.#parse(bytes.toString(), parseExactJson);
    if (isLarge) await nextTurn();
    if (this.#countKeys(value) !== this.#scan.keyCount)
      throw this.#refusalOf('Invalid', 'names the same key twice in one object');
    if (isLarge) await nextTurn();
    return value;
  }

  /** One buffer that grows by doubling: a list of chunks would use more memory than their bytes if they are small. */
  #append(bytes: Uint8Array): void {
    const sizeBytes = this.#sizeBytes + bytes.length;
    if (this.#sizeBytes === 0) this.#buffer = new Uint8Array(bytes);
    else {
      if (sizeBytes > this.#buffer.length) this.#grow(Math.min(this.#maxBytes, sizeBytes * 2));
      this.#buffer.set(bytes, this.#sizeBytes);
    }
    this.#sizeBytes = sizeBytes;
  }

  #grow(sizeBytes: number): void {
    const grown = new Uint8Array(sizeBytes);
    grown.set(this.#buffer);
    this.#buffer = grown;
  }

  #refuse(kind: 'TooLarge' | 'Invalid', problem: string): void {
    this.#buffer = nothing;
    this.#sizeBytes = 0;
    this.#refusal ??= this.#refusalOf(kind, problem);
  }

  #refusalOf(kind: 'TooLarge' | 'Invalid', problem: string): ActionError {
    return new ActionError(kind, `The ${this.#name} ${problem}.`);
  }

  /** Like `parseExactJson`, each of its steps in a turn of the event loop. */
  async #parseInTurns(text: string): Promise<unknown> {
    if (!mayHaveLongIntegers(text)) return this.#parse(text);
    const steps = quoteLongIntegers(text);
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) await nextTurn();
    await nextTurn();
    const value = this.#parse(step.value);
    await nextTurn();
    return restoreLongIntegers(value);
  }

  #parse(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
    try {
      return parse(text);
    } catch {
      throw this.#refusalOf('Invalid', 'is not valid JSON');
    }
  }

  /** Counts the keys that were kept; a key that was written twice is kept once. A large integer is an object without keys of its own. */
  #countKeys(value: unknown): number {
    if (typeof value === 'number' && !Number.isFinite(value))
      throw this.#refusalOf('Invalid', 'has a number that is too large; send it as a string');
    if (typeof value !== 'object' || value === null || isLongInteger(value)) return 0;
    let count = 0;
    if (Array.isArray(value)) {
      for (const item of value) count += this.#countKeys(item);
      return count;
    }
    for (const key of Object.keys(value)) {
      if (key === '__proto__' || key === 'constructor')
        throw this.#refusalOf('Invalid', `may not use ${key} as a key`);
      count += 1 + this.#countKeys((value as Record<string, unknown>)[key]);
    }
    return count;
  }
}
