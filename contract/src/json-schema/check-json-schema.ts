import { checkArray } from './check-array.ts';
import { checkObject } from './check-object.ts';
import { checkScalar } from './check-scalar.ts';
import {
  canonical,
  isObject,
  kindOf,
  stepsOf,
  type Problem,
  type SchemaObject,
  type Spend,
} from './schema-values.ts';

/** The options of a check. */
export interface SchemaCheckOptions {
  /** Tests a text against a regular expression of the schema. Without it such expressions are not tested: one of a stranger can hold a program for minutes. */
  readonly matches?: (pattern: string, text: string) => boolean;
}

/** Of a schema of a stranger: more steps or levels than any useful schema takes. */
const maxSteps = 50_000;
const maxDepth = 100;

/** Checks the parts of a value against the parts of a schema. */
export interface SchemaCheck extends SchemaCheckOptions {
  /** The first problem of a value at a path, with a schema; undefined if there is none. */
  problem(schema: unknown, value: unknown, path: string): Problem | undefined;
  /** Is told of what is read otherwise: lists of a schema, and texts. */
  readonly spend: Spend;
}

class TooComplex extends Error {}

/**
 * The first way in which a JSON value does not meet a JSON Schema; undefined if it meets it. The message continues a sentence that begins with what the value is and the path. Keywords that
 * it does not know, and `format`, constrain nothing. It takes a bounded time for every schema.
 */
export function checkJsonSchema(
  schema: unknown,
  value: unknown,
  options: SchemaCheckOptions = {},
): Problem | undefined {
  let steps = 0;
  let depth = 0;
  const spend: Spend = (count) => {
    if ((steps += count) > maxSteps) throw new TooComplex();
  };
  const check: SchemaCheck = {
    ...options,
    spend,
    problem(part, of, path) {
      spend(depth < maxDepth ? 1 : Infinity);
      depth += 1;
      try {
        return problemOf(check, schema, part, of, path);
      } finally {
        depth -= 1;
      }
    },
  };
  try {
    return check.problem(schema, value, '');
  } catch (error) {
    if (error instanceof TooComplex)
      return { path: '', message: 'cannot be checked: its schema is too complex' };
    throw error;
  }
}

function problemOf(
  check: SchemaCheck,
  root: unknown,
  schema: unknown,
  value: unknown,
  path: string,
): Problem | undefined {
  if (schema === false) return { path, message: 'is not allowed' };
  // `true`, and what is no schema.
  if (!isObject(schema)) return undefined;
  return (
    checkReference(check, root, schema, value, path) ??
    checkType(check, schema, value, path) ??
    checkChoice(check, schema, value, path) ??
    checkScalar(check, schema, value, path) ??
    checkArray(check, schema, value, path) ??
    checkObject(check, schema, value, path) ??
    checkCombination(check, schema, value, path)
  );
}

function checkReference(
  check: SchemaCheck,
  root: unknown,
  schema: SchemaObject,
  value: unknown,
  path: string,
): Problem | undefined {
  const reference = schema['$ref'];
  if (typeof reference !== 'string') return undefined;
  if (!reference.startsWith('#'))
    return { path, message: `cannot be checked: its schema is at ${reference}` };
  check.spend(stepsOf(reference));
  const keys = reference.slice(1).split('/').slice(1);
  check.spend(keys.length);
  let target = root;
  for (const key of keys) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    target = isObject(target) && Object.hasOwn(target, name) ? target[name] : undefined;
  }
  return check.problem(target, value, path);
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  null: 'null',
  object: 'an object',
  array: 'a list',
};

function checkType(
  check: SchemaCheck,
  schema: SchemaObject,
  value: unknown,
  path: string,
): Problem | undefined {
  const { type: given } = schema;
  if (given === undefined) return undefined;
  if (Array.isArray(given)) check.spend(given.length);
  const types = [given].flat().filter((type) => typeof type === 'string');
  const kind = kindOf(value);
  if (types.some((type) => type === kind || (type === 'number' && kind === 'integer'))) return undefined;
  return { path, message: `must be ${types.map((type) => typeNames[type] ?? type).join(' or ')}` };
}

const maxNamedChoices = 12;

function checkChoice(
  { spend }: SchemaCheck,
  schema: SchemaObject,
  value: unknown,
  path: string,
): Problem | undefined {
  const choices = Object.hasOwn(schema, 'const') ? [schema['const']] : schema['enum'];
  if (!Array.isArray(choices)) return undefined;
  const wanted = canonical(value, spend);
  if (choices.some((choice) => canonical(choice, spend) === wanted)) return undefined;
  const named = choices.slice(0, maxNamedChoices).map((choice) => JSON.stringify(choice));
  if (choices.length > maxNamedChoices) named.push('…');
  return { path, message: named.length === 1 ? `must be ${named[0]}` : `must be one of ${named.join(', ')}` };
}

function checkCombination(
  check: SchemaCheck,
  schema: SchemaObject,
  value: unknown,
  path: string,
): Problem | undefined {
  const meets = (part: unknown): boolean => check.problem(part, value, path) === undefined;
  const { allOf, anyOf, oneOf, not } = schema;
  for (const part of Array.isArray(allOf) ? allOf : []) {
    const problem = check.problem(part, value, path);
    if (problem !== undefined) return problem;
  }
  if (Array.isArray(anyOf) && !anyOf.some(meets)) return noneMet(check, anyOf, value, path);
  if (Array.isArray(oneOf)) {
    const met = oneOf.filter(meets).length;
    if (met === 0) return noneMet(check, oneOf, value, path);
    if (met > 1) return { path, message: 'must have exactly one of the forms that its schema lists' };
  }
  if (not !== undefined && meets(not)) return { path, message: 'has a form that its schema excludes' };
  if (schema['if'] === undefined) return undefined;
  const branch = schema[meets(schema['if']) ? 'then' : 'else'];
  return branch === undefined ? undefined : check.problem(branch, value, path);
}

/** With a single form, what is wrong with it. */
function noneMet(check: SchemaCheck, forms: readonly unknown[], value: unknown, path: string): Problem {
  const only = forms.length === 1 ? check.problem(forms[0], value, path) : undefined;
  return only ?? { path, message: 'must have one of the forms that its schema lists' };
}
