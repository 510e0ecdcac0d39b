import { randomBytes } from 'node:crypto';

/** Consonants that cannot be taken for one another or for digits, and make no words. */
const symbols = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;
/** The largest multiple of the number of symbols in a byte; larger bytes would make some symbols more likely. */
const fairBytes = 256 - (256 % symbols.length);

/** A random code that people type, 8 symbols with a hyphen in the middle; about 34 bits. */
export function newUserCode(): string {
  let code = '';
  while (code.length < length)
    for (const byte of randomBytes(length))
      if (byte < fairBytes && code.length < length) code += symbols[byte % symbols.length];
  return withHyphen(code);
}

/** A code as it was made, from what was typed: in any case, with or without the hyphen. */
export function typedUserCode(typed: string): string {
  return withHyphen(
    typed
      .slice(0, 64)
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, ''),
  );
}

const withHyphen = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
