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
import { jsonTextsOf } from '../platform/db/json-text.ts';

/** A document up to this size is parsed in the turn of the event loop in which its last bytes arrive. */
const smallDocumentBytes = 65_536;
const nothing = new Uint8Array(0);

/** The name of the document in error messages: the body of a request, or the input of a call over a channel. */
type DocumentName = 'body' | 'input';

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
class JsonScan {
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

/** The size of a chunk, unless a single item is longer; one turn of the event loop encodes one at most. */
const chunkChars = 131_072;
/** How many items one turn encodes at most. */
const itemsPerTurn = 1000;
/** Objects inside the answer are encoded field by field down to this depth; the items of a list are always encoded whole. */
const maxSplitDepth = 3;

/**
 * Encodes an answer as the UTF-8 of `JSON.stringify`, in chunks of about 128 KiB, and gives way to other work in between: an answer may be a list of
 * 10,000 rows. Rejected with a TypeError for what JSON cannot express.
 */
export async function encodeJson(value: unknown): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let text = '';
  let items = 0;
  for (const piece of piecesOf(value, 0)) {
    text += piece;
    items += 1;
    if (text.length < chunkChars && items < itemsPerTurn) continue;
    if (text.length >= chunkChars) {
      chunks.push(Buffer.from(text));
      text = '';
    }
    items = 0;
    await nextTurn();
  }
  if (text !== '') chunks.push(Buffer.from(text));
  return chunks;
}

function* piecesOf(value: unknown, depth: number): Generator<string> {
  if (Array.isArray(value)) yield* piecesOfList(value);
  else if (depth < maxSplitDepth && isPlain(value)) yield* piecesOfObject(value, depth);
  else yield stringify(value) ?? 'null';
}

function* piecesOfList(list: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const item of list) {
    const hasTexts = isPlain(item) && jsonTextsOf(item) !== undefined;
    const text = hasTexts ? [...piecesOfObject(item, maxSplitDepth)].join('') : stringify(item);
    yield before + (text ?? 'null');
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

function* piecesOfObject(object: Readonly<Record<string, unknown>>, depth: number): Generator<string> {
  const texts = jsonTextsOf(object);
  let before = '{';
  for (const key of Object.keys(object)) {
    const text = texts?.get(key);
    const value = text ?? object[key];
    if (isLeftOut(value)) continue;
    yield `${before}${JSON.stringify(key)}:`;
    if (text === undefined) yield* piecesOf(value, depth + 1);
    else yield text;
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** `JSON.stringify` returns undefined for what it leaves out, which its type does not say. */
function stringify(value: unknown): string | undefined {
  return JSON.stringify(value) as string | undefined;
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
