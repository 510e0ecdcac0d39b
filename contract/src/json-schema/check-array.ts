import type { SchemaCheck } from './check-json-schema.ts';
import { canonical, counted, limitOf, type Problem, type SchemaObject } from './schema-values.ts';

/** Checks what a schema says of lists. */
export function checkArray(
  check: SchemaCheck,
  schema: SchemaObject,
  value: unknown,
  path: string,
): Problem | undefined {
  if (!Array.isArray(value)) return undefined;
  const least = limitOf(schema, 'minItems');
  const most = limitOf(schema, 'maxItems');
  if (least !== undefined && value.length < least)
    return { path, message: `must have at least ${counted(least, 'item')}` };
  if (most !== undefined && value.length > most)
    return { path, message: `must have at most ${counted(most, 'item')}` };
  if (
    schema['uniqueItems'] === true &&
    new Set(value.map((item) => canonical(item, check.spend))).size < value.length
  )
    return { path, message: 'must not have an item twice' };
  return checkItems(check, schema, value, path) ?? checkContained(check, schema, value, path);
}

function checkItems(
  check: SchemaCheck,
  schema: SchemaObject,
  value: readonly unknown[],
  path: string,
): Problem | undefined {
  const { items } = schema;
  // Before 2020, a list of schemas was in `items`, and what followed in `additionalItems`.
  const isOld = Array.isArray(items);
  const first = isOld ? items : schema['prefixItems'];
  const rest = isOld ? schema['additionalItems'] : items;
  if (rest === undefined && !Array.isArray(first)) return undefined;
  for (const [index, item] of value.entries()) {
    const own = Array.isArray(first) && index < first.length ? first[index] : rest;
    if (own === undefined) return undefined;
    const problem = check.problem(own, item, `${path}[${index}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function checkContained(
  check: SchemaCheck,
  schema: SchemaObject,
  value: readonly unknown[],
  path: string,
): Problem | undefined {
  const { contains } = schema;
  if (contains === undefined) return undefined;
  const least = limitOf(schema, 'minContains') ?? 1;
  const most = limitOf(schema, 'maxContains') ?? Infinity;
  const found = value.filter((item) => check.problem(contains, item, path) === undefined).length;
  return found >= least && found <= most
    ? undefined
    : { path, message: 'does not have the items that its schema asks for' };
}
