import type { FilterValue } from './filter.ts';
import { FilterError } from './FilterError.ts';

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  min: 60_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const unitBytes: Readonly<Record<string, number>> = { '': 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
/** A hundred years: the oldest time that a filter may name. */
const maxDurationMs = 100 * 365.25 * 86_400_000;

/** The value as a number, also with a byte unit; undefined for other values. */
export function numberIn({ text, isQuoted, isPrefix }: FilterValue): number | undefined {
  if (isQuoted || isPrefix) return undefined;
  const [, digits, unit = ''] = /^(-?\d{1,15}(?:\.\d{1,9})?)(kB|MB|GB|TB)?$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (unitBytes[unit] ?? 1);
}

/** A duration such as `7d`, in milliseconds. Throws a `FilterError` for another value. */
export function readDuration(value: FilterValue): number {
  const durationMs = durationIn(value);
  if (durationMs !== undefined) return durationMs;
  throw new FilterError('write a duration here, such as 30s, 10min, 12h, 7d or 4w.', value.at);
}

const usualDurations = ['10min', '1h', '1d', '7d', '30d'];

/** Durations to suggest: a number that was typed with each unit, otherwise some usual ones. */
export function durationsLike(begun: string): readonly string[] {
  const [number] = /^\d{1,9}(?:\.\d{1,3})?/.exec(begun) ?? [];
  if (number === undefined) return usualDurations;
  return ['s', 'min', 'h', 'd', 'w'].map((unit) => number + unit);
}

function durationIn({ text, isQuoted, isPrefix }: FilterValue): number | undefined {
  if (isQuoted || isPrefix) return undefined;
  const [, digits, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(s|min|m|h|d|w)$/.exec(text) ?? [];
  const durationMs = Number(digits) * (unitMs[unit] ?? Number.NaN);
  return durationMs <= maxDurationMs ? durationMs : undefined;
}

/** A time as a date, a date with a time, or how long ago it was. Throws a `FilterError` for another value. */
export function readTime(value: FilterValue, now: Date): Date {
  const durationMs = durationIn(value);
  if (durationMs !== undefined) return new Date(now.getTime() - durationMs);
  const at = timeIn(value);
  if (at !== undefined) return at;
  throw new FilterError(
    'write a time here, such as 2026-11-20, 2026-11-20T18:30Z or 7d for seven days ago.',
    value.at,
  );
}

function timeIn({ text, isPrefix }: FilterValue): Date | undefined {
  if (isPrefix || !/^[12]\d{3}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d))?$/.test(text))
    return undefined;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
