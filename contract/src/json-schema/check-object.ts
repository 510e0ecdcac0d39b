import type { SchemaCheck } from './check-json-schema.ts';
import { counted, fieldPath, isObject, limitOf, type Problem, type SchemaObject } from './schema-values.ts';

/** Checks what a schema says of objects. */
export function checkObject(
  check: SchemaCheck,
  schema: SchemaObject,
  value: unknown,
  path: string,
): Problem | undefined {
  if (!isObject(value)) return undefined;
  return checkNames(check, schema, value, path) ?? checkFields(check, schema, value, path);
}

function checkNames(
  { spend }: SchemaCheck,
  schema: SchemaObject,
  value: SchemaObject,
  path: string,
): Problem | undefined {
  const { required, dependentRequired } = schema;
  const missing = (names: unknown): string | undefined => {
    if (!Array.isArray(names)) return undefined;
    spend(names.length);
    return names.find((name): name is string => typeof name === 'string' && !Object.hasOwn(value, name));
  };
  const dependent = Object.entries(isObject(dependentRequired) ? dependentRequired : {});
  spend(dependent.length);
  const absent =
    missing(required) ??
    dependent
      .filter(([name]) => Object.hasOwn(value, name))
      .map(([, names]) => missing(names))
      .find((name) => name !== undefined);
  if (absent !== undefined) return { path: fieldPath(path, absent, spend), message: 'is missing' };
  const least = limitOf(schema, 'minProperties');
  const most = limitOf(schema, 'maxProperties');
  if (least === undefined && most === undefined) return undefined;
  const count = Object.keys(value).length;
  spend(count);
  if (least !== undefined && count < least)
    return { path, message: `must have at least ${counted(least, 'field')}` };
  if (most !== undefined && count > most)
    return { path, message: `must have at most ${counted(most, 'field')}` };
  return undefined;
}

function checkFields(
  check: SchemaCheck,
  schema: SchemaObject,
  value: SchemaObject,
  path: string,
): Problem | undefined {
  const { propertyNames, properties, patternProperties, additionalProperties } = schema;
  const isFree = [propertyNames, properties, patternProperties, additionalProperties].every(
    (part) => part === undefined,
  );
  if (isFree) return undefined;
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {});
  check.spend(patterns.length);
  for (const [name, field] of Object.entries(value)) {
    check.spend(patterns.length);
    const at = fieldPath(path, name, check.spend);
    if (propertyNames !== undefined && check.problem(propertyNames, name, at) !== undefined)
      return { path: at, message: 'has a name that is not allowed' };
    for (const part of partsFor(check, schema, patterns, name)) {
      if (part === false) return { path: at, message: 'is unknown' };
      const problem = check.problem(part, field, at);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** The schemas of a field. */
function partsFor(
  { matches }: SchemaCheck,
  { properties, additionalProperties }: SchemaObject,
  patterns: readonly [string, unknown][],
  name: string,
): unknown[] {
  const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const matched = patterns.filter(([pattern]) => matches?.(pattern, name) === true).map(([, part]) => part);
  const parts = [...own, ...matched];
  // Whether a field is a further one cannot be said where patterns are not tested.
  const isFurther = parts.length === 0 && (patterns.length === 0 || matches !== undefined);
  return isFurther && additionalProperties !== undefined ? [additionalProperties] : parts;
}
