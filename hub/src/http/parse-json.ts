import { isUtf8 } from 'node:buffer';
import { ActionError } from '@corral/contract';

/** How deep objects and lists may lie in each other. */
export const maxJsonDepth = 32;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

const refuse = (sentence: string): ActionError => new ActionError('Invalid', sentence);

/**
 * Parses a JSON body: UTF-8, at most 32 levels deep, no key twice in an object, neither `__proto__` nor `constructor` as a key.
 * Throws an `ActionError` of kind Invalid.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) throw refuse('The body is empty; send a JSON object.');
  if (!isUtf8(body)) throw refuse('The body is not UTF-8.');
  const writtenKeys = countKeys(body);
  const value = parse(body.toString('utf8'));
  if (countSafeKeys(value) !== writtenKeys) throw refuse('The body names the same key twice in one object.');
  return value;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse('The body is not valid JSON.');
  }
}

/** Counts the keys as written (a colon outside of strings each), and refuses what is nested too deep before it is parsed. */
function countKeys(body: Buffer): number {
  let keys = 0;
  let depth = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === quote) at = endOfString(body, at + 1);
    else if (byte === colon) keys += 1;
    // Both kinds of brackets differ in one bit: [ ] are 5b 5d, { } are 7b 7d.
    else if (byte !== undefined && (byte | 0x20) === 0x7b) depth += 1;
    else if (byte !== undefined && (byte | 0x20) === 0x7d) depth -= 1;
    if (depth > maxJsonDepth) throw refuse(`The body is nested deeper than ${maxJsonDepth} levels.`);
  }
  return keys;
}

function endOfString(body: Buffer, from: number): number {
  let at = from;
  while (at < body.length && body[at] !== quote) at += body[at] === backslash ? 2 : 1;
  return at;
}

/** Counts the keys that were kept; a key that was written twice is kept once. */
function countSafeKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countSafeKeys(item), 0);
  let count = 0;
  for (const key of Object.keys(value)) {
    if (key === '__proto__' || key === 'constructor') throw refuse(`The body may not use ${key} as a key.`);
    count += 1 + countSafeKeys((value as Record<string, unknown>)[key]);
  }
  return count;
}
