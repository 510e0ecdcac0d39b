import { ActionError, type Json } from '@corral/contract';

/** The value as JSON text. Throws an `ActionError` of kind Invalid if its text in the database and `otherBytes` together exceed the limit. */
export function jsonWithin(limitKib: number, what: string, value: Json, otherBytes = 0): string {
  const text = JSON.stringify(value);
  const freeBytes = limitKib * 1024 - Buffer.byteLength(text) - otherBytes;
  if (subtractLongNumbers(freeBytes, value) < 0)
    throw new ActionError('Invalid', `${what} may have at most ${limitKib} KiB as JSON.`);
  return text;
}

/** A value above this size takes the database long enough to hold up others in its statement. */
const smallBytes = 4096;

/** Whether a value is so small that it may be written in a statement with others. */
export function isSmallJson(value: Json): boolean {
  return spareBytes(value, smallBytes) >= 0;
}

/** `freeBytes` minus a lower bound of the size of a value as JSON; stops when it is negative. */
function spareBytes(value: Json, freeBytes: number): number {
  if (typeof value === 'string') return freeBytes - value.length;
  if (typeof value !== 'object' || value === null) return freeBytes - 1;
  let leftBytes = freeBytes;
  if (Array.isArray(value)) {
    for (const one of value) if ((leftBytes = spareBytes(one, leftBytes - 1)) < 0) break;
    return leftBytes;
  }
  for (const key in value)
    if ((leftBytes = spareBytes(value[key] as Json, leftBytes - key.length)) < 0) break;
  return leftBytes;
}

/**
 * `freeBytes` minus the bytes by which numbers are longer in PostgreSQL, which writes all digits of 1e308 and 5e-324, than in JSON. Stops
 * when it is negative.
 */
function subtractLongNumbers(freeBytes: number, value: Json): number {
  if (typeof value === 'number') return freeBytes - extraBytes(value);
  if (typeof value !== 'object' || value === null) return freeBytes;
  let leftBytes = freeBytes;
  for (const one of Object.values(value)) {
    if (leftBytes < 0) break;
    leftBytes = subtractLongNumbers(leftBytes, one as Json);
  }
  return leftBytes;
}

/** JavaScript writes numbers below and from these with an exponent. */
const [minPlain, minExponential] = [1e-6, 1e21];

function extraBytes(value: number): number {
  const size = Math.abs(value);
  if (size === 0 || (size >= minPlain && size < minExponential)) return 0;
  const text = String(value);
  const [mantissa = '', exponent = ''] = text.split('e');
  const sign = mantissa.startsWith('-') ? 1 : 0;
  const { length: digits } = mantissa.replace(/[-.]/g, '');
  // With `0.` and zeros before the digits, or zeros after them.
  const allDigits = exponent.startsWith('-') ? 1 - Number(exponent) + digits : Number(exponent) + 1;
  return sign + allDigits - text.length;
}
