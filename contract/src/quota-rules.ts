import type { Problem } from './rules.ts';

const sizeForm = /^(\d{1,16}(?:\.\d{1,3})?) ?(KiB|MiB|GiB|TiB|bytes|)$/i;
const countForm = /^\d{1,15}$/;
const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** The whole bytes of a typed size such as `50 GiB`, `1.5TiB` or `4096`; undefined if it is none, or no safe integer. */
export function readSize(typed: string): number | undefined {
  const [, digits, unit = ''] = sizeForm.exec(typed.trim()) ?? [];
  if (digits === undefined) return undefined;
  const power = Math.max(
    0,
    units.findIndex((name) => name.toLowerCase() === unit.toLowerCase()),
  );
  // A byte has no fractions.
  if (power === 0 && digits.includes('.')) return undefined;
  const bytes = Math.round(Number(digits) * 1024 ** power);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** A size exactly as `readSize` reads it back, in the largest unit of which it is a whole number, such as `1536 MiB`. */
export function writeSize(bytes: number): string {
  let power = 0;
  while (power < units.length - 1 && bytes > 0 && bytes % 1024 ** (power + 1) === 0) power += 1;
  return `${bytes / 1024 ** power} ${units[power]}`;
}

/** A size for people, with one decimal below 100, such as `1.5 GiB`. */
export function sizeInWords(bytes: number): string {
  if (bytes === 1) return '1 byte';
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const size = bytes / 1024 ** power;
  return `${power === 0 || size >= 100 ? size.toFixed(0) : size.toFixed(1)} ${units[power]}`;
}

/** A typed whole number of up to 15 digits; undefined if it is none. */
export function readCount(typed: string): number | undefined {
  const digits = typed.trim();
  return countForm.test(digits) ? Number(digits) : undefined;
}

/** The rule for a typed quota of bytes; blank for none. */
export function quotaBytesProblem(typed: string): Problem | undefined {
  return typed.trim() === '' || readSize(typed) !== undefined ? undefined : 'quotaBytesInvalid';
}

/** The rule for a typed quota of assets; blank for none. */
export function quotaAssetsProblem(typed: string): Problem | undefined {
  return typed.trim() === '' || readCount(typed) !== undefined ? undefined : 'quotaAssetsInvalid';
}
