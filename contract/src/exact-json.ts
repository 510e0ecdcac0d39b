/**
 * JSON whose integers keep all their digits. A double holds integers up to 2^53 and some beyond, so that JSON.parse silently changes the others: 64-bit counters, and times in nanoseconds.
 */

/** An integer of fewer digits fits into a double. */
const longDigits = 16;
const longNumber = /\d{16}/;
/** Begins the strings that stand for integers while a text is parsed. Random, so that no text of others can begin with it. */
const mark = `${crypto.getRandomValues(new Uint32Array(4)).join('-')}:`;

const quote = 0x22;
const minus = 0x2d;
const colon = 0x3a;
const whiteSpace: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const tokensPerStep = 10_000;
/** Not in the types of TypeScript yet; browsers and Node.js before 2023 do not have it. */
const { rawJSON, isRawJSON } = JSON as {
  readonly rawJSON?: (text: string) => object;
  readonly isRawJSON?: (value: unknown) => boolean;
};

/** What takes the place of an integer, by its digits. */
type IntegerOf = (digits: string) => unknown;
const toRawJson: IntegerOf = (digits) => rawJSON?.(digits);

/**
 * Parses JSON like JSON.parse, with a SyntaxError for what is none. An integer that a double would change becomes an object that JSON.stringify writes with all digits, where the platform has
 * JSON.rawJSON.
 */
export function parseExactJson(text: string): unknown {
  return mayHaveLongIntegers(text) ? parseWith(toRawJson, text) : JSON.parse(text);
}

/** Like `parseExactJson`, but such an integer becomes a bigint, on every platform: it can be copied and compared, and JSON.stringify refuses it. */
export function parseJsonWithBigInts(text: string): unknown {
  return longNumber.test(text) ? parseWith(BigInt, text) : JSON.parse(text);
}

function parseWith(integerOf: IntegerOf, text: string): unknown {
  const steps = quoteLongIntegers(text);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return restoreLongIntegers(JSON.parse(step.value), integerOf);
}

/** Whether a value is an integer that `parseExactJson` kept as an object. */
export function isLongInteger(value: unknown): boolean {
  return isRawJSON?.(value) === true;
}

/** Whether a text may have integers that JSON.parse would change. */
export function mayHaveLongIntegers(text: string): boolean {
  return rawJSON !== undefined && longNumber.test(text);
}

/** The first step of `parseExactJson`: returns the text with integers that a double would change as marked strings. Gives way after each 10,000 numbers and strings. */
export function* quoteLongIntegers(text: string): Generator<void, string> {
  const pieces: string[] = [];
  let written = 0;
  let at = 0;
  for (let tokens = 1; at < text.length; tokens += 1) {
    if (tokens % tokensPerStep === 0) yield;
    at = startOfToken(text, at);
    if (text.charCodeAt(at) === quote) at = endOfString(text, at);
    else {
      const start = at;
      at = endOfDigits(text, at + 1);
      const isLong = at - start >= longDigits && !isPartOfNumber(text.charCodeAt(at)) && !isKey(text, at);
      if (isLong && isChangedByDouble(text.slice(start, at))) {
        pieces.push(text.slice(written, start), `"${mark}${text.slice(start, at)}"`);
        written = at;
      }
      while (isPartOfNumber(text.charCodeAt(at))) at += 1;
    }
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(written);
}

/** The last step of `parseExactJson`: puts the integers in the place of the marked strings, in the given value. */
export function restoreLongIntegers(value: unknown, integerOf: IntegerOf = toRawJson): unknown {
  if (typeof value === 'string') return value.startsWith(mark) ? integerOf(value.slice(mark.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (isOfInterest(item)) value[index] = restoreLongIntegers(item, integerOf);
    return value;
  }
  const fields = value as Record<string, unknown>;
  for (const key of Object.keys(fields))
    if (isOfInterest(fields[key])) fields[key] = restoreLongIntegers(fields[key], integerOf);
  return value;
}

function isOfInterest(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'object';
}

/** The position of the next string or number, or the end of the text. */
function startOfToken(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote || code === minus || isDigit(code)) return at;
  }
  return text.length;
}

/** The position behind the quote that ends a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let from = start + 1; ;) {
    const end = text.indexOf('"', from);
    if (end === -1) return text.length;
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
    from = end + 1;
  }
}

/** Whether JSON.stringify would write another integer than was read. One with a needless zero is no JSON; one too large for a double is left to JSON.parse. */
function isChangedByDouble(literal: string): boolean {
  const digits = literal.replace('-', '');
  if (digits.startsWith('0')) return false;
  const value = Number(digits);
  if (digits.length <= 21) return String(value) !== digits;
  if (!Number.isFinite(value)) return false;
  const [mantissa = '', exponent] = value.toExponential().split('e+');
  return mantissa.replace('.', '').padEnd(Number(exponent) + 1, '0') !== digits;
}

/** Whether a colon follows: a number that is written as a key is no JSON, and must not become a string. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (whiteSpace.has(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === colon;
}

function endOfDigits(text: string, from: number): number {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Whether a character may be in a number: a digit, a sign, a point or an e. */
function isPartOfNumber(code: number): boolean {
  return isDigit(code) || code === minus || code === 0x2b || code === 0x2e || (code | 0x20) === 0x65;
}
