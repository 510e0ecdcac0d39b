import { randomBytes } from 'node:crypto';

/** Consonants that are not confused with one another or with digits, and form no words. */
const symbols = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;
/** The number of byte values that map evenly to the symbols; larger bytes are rejected, or some symbols would be more likely. */
const usableByteValues = 256 - (256 % symbols.length);

/** A random code for people to type: 8 symbols (34 bits) with a hyphen in the middle. */
export function newUserCode(): string {
  let code = '';
  while (code.length < length)
    for (const byte of randomBytes(length))
      if (byte < usableByteValues && code.length < length) code += symbols[byte % symbols.length];
  return withHyphen(code);
}

/** The canonical form of a typed code, which may be in any case and without the hyphen. */
export function normalizeUserCode(typed: string): string {
  return withHyphen(
    typed
      .slice(0, 64)
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, ''),
  );
}

const withHyphen = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
