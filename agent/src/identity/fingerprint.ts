import { createHash } from 'node:crypto';
import { idAlphabet, ids, type Id } from '@corral/contract';

interface Rest {
  readonly digit: number;
  readonly base: number;
}

/** A base this large makes the resulting symbols almost uniform. */
const wideBase = 65_535;

/** Derives the secret fingerprint of a device from data that is unique to it and secret. */
export function deviceFingerprint(data: Uint8Array): Id<'deviceFingerprint'> {
  return ids.deviceFingerprint.of(encodeSymbols(createHash('sha512-256').update(data).digest()));
}

/** Writes bytes in the 58 symbols of ids: halves are joined into one number in a mixed base, from which symbols are taken while it is wide. */
export function encodeSymbols(bytes: Uint8Array): string {
  const symbols: string[] = [];
  let rest = encodePart(bytes, symbols);
  while (rest.base > 1) rest = takeSymbol(rest, symbols);
  return symbols.join('');
}

function encodePart(bytes: Uint8Array, symbols: string[]): Rest {
  if (bytes.length === 0) return { digit: 0, base: 0 };
  if (bytes.length === 1) return { digit: bytes[0] ?? 0, base: 256 };
  const middle = Math.floor(bytes.length / 2);
  const first = encodePart(bytes.subarray(0, middle), symbols);
  const second = encodePart(bytes.subarray(middle), symbols);
  let rest: Rest = { digit: first.digit + second.digit * first.base, base: first.base * second.base };
  while (rest.base >= wideBase) rest = takeSymbol(rest, symbols);
  return rest;
}

function takeSymbol({ digit, base }: Rest, symbols: string[]): Rest {
  symbols.push(idAlphabet[digit % 58] ?? '');
  return { digit: Math.floor(digit / 58), base: Math.ceil(base / 58) };
}
