import type { SchemaCheck } from './check-json-schema.ts';
import { counted, kindOf, limitOf, stepsOf, type Problem, type SchemaObject } from './schema-values.ts';

/** Checks what a schema says of numbers and texts. */
export function checkScalar(
  check: SchemaCheck,
  schema: SchemaObject,
  value: unknown,
  path: string,
): Problem | undefined {
  const kind = kindOf(value);
  const message =
    kind === 'integer' || kind === 'number'
      ? numberFault(schema, numberOf(check, value))
      : typeof value === 'string'
        ? textFault(check, schema, value)
        : undefined;
  return message === undefined ? undefined : { path, message };
}

/** A long integer may have any number of digits. */
function numberOf({ spend }: SchemaCheck, value: unknown): number {
  if (typeof value === 'number') return value;
  const digits = typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  spend(stepsOf(digits));
  return Number(digits);
}

function numberFault(schema: SchemaObject, value: number): string | undefined {
  const limit = (keyword: string): number | undefined => limitOf(schema, keyword);
  const least = limit('minimum');
  const most = limit('maximum');
  const above = limit('exclusiveMinimum');
  const below = limit('exclusiveMaximum');
  const factor = limit('multipleOf');
  if (least !== undefined && value < least) return `must be at least ${least}`;
  if (most !== undefined && value > most) return `must be at most ${most}`;
  if (above !== undefined && value <= above) return `must be more than ${above}`;
  if (below !== undefined && value >= below) return `must be less than ${below}`;
  if (factor !== undefined && factor > 0 && !isMultiple(value, factor))
    return `must be a multiple of ${factor}`;
  return undefined;
}

/** Within the precision of doubles: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, factor: number): boolean {
  const times = value / factor;
  return Math.abs(times - Math.round(times)) <= Number.EPSILON * Math.max(1, Math.abs(times));
}

function textFault({ matches, spend }: SchemaCheck, schema: SchemaObject, value: string): string | undefined {
  const { pattern } = schema;
  const shortest = limitOf(schema, 'minLength');
  const longest = limitOf(schema, 'maxLength');
  if (shortest !== undefined || longest !== undefined) {
    spend(stepsOf(value));
    const length = [...value].length;
    if (shortest !== undefined && length < shortest)
      return `must have at least ${counted(shortest, 'character')}`;
    if (longest !== undefined && length > longest)
      return `must have at most ${counted(longest, 'character')}`;
  }
  if (typeof pattern === 'string' && matches !== undefined && !matches(pattern, value))
    return `must match ${pattern}`;
  return undefined;
}
