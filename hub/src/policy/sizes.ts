import { ActionError, type Json } from '@corral/contract';

/** The value as JSON text; Invalid if the text and `besidesBytes` together exceed the limit. */
export function jsonWithin(limitKib: number, what: string, value: Json, besidesBytes = 0): string {
  const text = JSON.stringify(value);
  if (Buffer.byteLength(text) + addedBytes(value) + besidesBytes > limitKib * 1024)
    throw new ActionError('Invalid', `${what} may have at most ${limitKib} KiB as JSON.`);
  return text;
}

/** How much longer the numbers of a value are in the database than in JSON: PostgreSQL writes all digits of 1e308 and of 5e-324. */
function addedBytes(value: Json): number {
  if (typeof value === 'number') return digitsOf(value) - String(value).length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + addedBytes(one as Json), 0);
}

function digitsOf(value: number): number {
  const text = String(value);
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text.length;
  const sign = mantissa.startsWith('-') ? 1 : 0;
  const { length: digits } = mantissa.replace(/[-.]/g, '');
  // 0. and zeros before the digits, or zeros after them.
  return sign + (exponent.startsWith('-') ? 1 - Number(exponent) + digits : Number(exponent) + 1);
}
