import type { ByteRange } from '../../domains/assets/storage/asset-storage.ts';

/** What a request wants of a representation: all of it, parts of it, or parts that it does not have. */
export type WantedRanges =
  | { readonly kind: 'whole' }
  | { readonly kind: 'parts'; readonly parts: readonly [ByteRange, ...ByteRange[]] }
  | { readonly kind: 'unsatisfiable' };

const whole = { kind: 'whole' } as const;
const maxRanges = 16;
/** More than 16 ranges with generous white space; a longer header is ignored like one that is malformed. */
const maxHeaderCharacters = 1024;
const specForm = /^(\d*)-(\d*)$/;

/**
 * Reads a Range header for a representation of `sizeBytes` (RFC 9110, 14.2). As it allows, a header that is malformed, of another unit, or of more than 16 ranges
 * is ignored; ranges that overlap are joined.
 */
export function parseRanges(header: string | undefined, sizeBytes: number): WantedRanges {
  if (header === undefined || header.length > maxHeaderCharacters) return whole;
  const [unit, set, ...rest] = header.split('=');
  if (unit?.trim().toLowerCase() !== 'bytes' || set === undefined || rest.length > 0) return whole;
  const specs = set.split(',').map((spec) => spec.trim());
  const named = specs.filter((spec) => spec !== '');
  if (named.length === 0 || named.length > maxRanges) return whole;
  const ranges = named.map((spec) => rangeOf(spec, sizeBytes));
  if (ranges.includes('malformed')) return whole;
  const [first, ...others] = joined(ranges.filter((range) => typeof range === 'object'));
  return first === undefined ? { kind: 'unsatisfiable' } : { kind: 'parts', parts: [first, ...others] };
}

function rangeOf(spec: string, sizeBytes: number): ByteRange | 'malformed' | 'beyond' {
  const [, from = '', to = ''] = specForm.exec(spec) ?? [];
  if (from === '' && to === '') return 'malformed';
  if (from === '') return suffixOf(Number(to), sizeBytes);
  const [start, end] = [Number(from), to === '' ? Infinity : Number(to)];
  if (end < start) return 'malformed';
  return start < sizeBytes ? { start, end: Math.min(end, sizeBytes - 1) } : 'beyond';
}

function suffixOf(length: number, sizeBytes: number): ByteRange | 'beyond' {
  if (length === 0 || sizeBytes === 0) return 'beyond';
  return { start: Math.max(0, sizeBytes - length), end: sizeBytes - 1 };
}

/** The same ranges if none overlap; otherwise sorted and joined, so that no byte is sent twice. */
function joined(ranges: readonly ByteRange[]): readonly ByteRange[] {
  const sorted = ranges.toSorted((one, other) => one.start - other.start);
  const result: ByteRange[] = [];
  for (const range of sorted) {
    const last = result.at(-1);
    if (last === undefined || range.start > last.end) result.push(range);
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, range.end) };
  }
  return result.length === ranges.length ? ranges : result;
}

/** How many bytes a range has. */
export function lengthOf({ start, end }: ByteRange): number {
  return end - start + 1;
}
