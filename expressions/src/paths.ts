import { isLongInteger } from './numbers.ts';
import type { Json, Path, PathSegment } from './expression.ts';

/** The value at a path; undefined where there is none: a key leads into objects only, an index into arrays only. */
export function valueAt(value: Json, path: Path): Json | undefined {
  let at: Json | undefined = value;
  for (const segment of path) {
    if (at === undefined) return undefined;
    at = childOf(at, segment);
  }
  return at;
}

/** The value one step below. */
export function childOf(value: Json, segment: PathSegment): Json | undefined {
  if (typeof segment === 'number') return Array.isArray(value) ? value[segment] : undefined;
  return isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
}

/** Whether a value is an object of JSON. */
export function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLongInteger(value);
}

/** What a value is, as a sentence says it. */
export function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return isLongInteger(value) ? 'a number' : 'an object';
  return `a ${{ string: 'text', number: 'number', boolean: 'truth value' }[typeof value as 'string']}`;
}
