import { ActionError, type Json } from '@corral/contract';

/** The value as JSON text; Invalid if the text and `besidesBytes` together exceed the limit. */
export function jsonWithin(limitKib: number, what: string, value: Json, besidesBytes = 0): string {
  const text = JSON.stringify(value);
  const freeBytes = limitKib * 1024 - Buffer.byteLength(text) - besidesBytes;
  if (lessLongNumbers(freeBytes, value) < 0)
    throw new ActionError('Invalid', `${what} may have at most ${limitKib} KiB as JSON.`);
  return text;
}

/**
 * The bytes less those by which the numbers of a value are longer in the database than in JSON: PostgreSQL writes all digits of 1e308 and of
 * 5e-324. It stops when none are left.
 */
function lessLongNumbers(freeBytes: number, value: Json): number {
  if (typeof value === 'number') return freeBytes - addedBytes(value);
  if (typeof value !== 'object' || value === null) return freeBytes;
  let leftBytes = freeBytes;
  for (const one of Object.values(value)) {
    if (leftBytes < 0) break;
    leftBytes = lessLongNumbers(leftBytes, one as Json);
  }
  return leftBytes;
}

/** JSON has an exponent only above and below these. */
const [leastPlain, leastLarge] = [1e-6, 1e21];

function addedBytes(value: number): number {
  const size = Math.abs(value);
  if (size === 0 || (size >= leastPlain && size < leastLarge)) return 0;
  const text = String(value);
  const [mantissa = '', exponent = ''] = text.split('e');
  const sign = mantissa.startsWith('-') ? 1 : 0;
  const { length: digits } = mantissa.replace(/[-.]/g, '');
  // 0. and zeros before the digits, or zeros after them.
  const all = exponent.startsWith('-') ? 1 - Number(exponent) + digits : Number(exponent) + 1;
  return sign + all - text.length;
}
