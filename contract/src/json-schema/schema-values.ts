import { isLongInteger } from '../exact-json.ts';

/** What is wrong with a value. */
export interface Problem {
  /** Where, as `.name[0]`; empty for the value itself. */
  readonly path: string;
  /** Continues a sentence that begins with the place: `must be a text`. */
  readonly message: string;
}

/** An object of a schema. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLongInteger(value);
}

/** The name of the type of a JSON value; a number without a fraction is an integer. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isLongInteger(value) || typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** Charges a check with so many steps; throws when it has taken too many. */
export type Spend = (steps: number) => void;

const charactersPerStep = 64;
const maxDepth = 100;

/** What reading a text costs. */
export const stepsOf = (text: string): number => Math.ceil(text.length / charactersPerStep);

/** A text that is equal for equal values, whatever the order of their keys. */
export function canonical(value: unknown, spend: Spend, depth = 0): string {
  spend(depth > maxDepth ? Infinity : 1);
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, spend, depth + 1)).join()}]`;
  if (!isObject(value)) {
    const text = typeof value === 'bigint' ? String(value) : JSON.stringify(value);
    spend(stepsOf(text));
    return text;
  }
  const fields = Object.keys(value)
    .sort()
    .map((key) => {
      spend(stepsOf(key));
      return `${JSON.stringify(key)}:${canonical(value[key], spend, depth + 1)}`;
    });
  return `{${fields.join()}}`;
}

/** A number of a schema; undefined for anything else. */
export function limitOf(schema: SchemaObject, keyword: string): number | undefined {
  const limit = schema[keyword];
  return typeof limit === 'number' ? limit : undefined;
}

/** The path of a field. */
export function fieldPath(path: string, name: string, spend: Spend): string {
  spend(stepsOf(name));
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
}

/** `1 item`, `2 items`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
