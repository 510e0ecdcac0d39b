import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonTextsOf } from '../platform/db/json-text.ts';

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
