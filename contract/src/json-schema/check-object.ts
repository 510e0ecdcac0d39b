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
  return checkNames(schema, value, path) ?? checkFields(check, schema, value, path);
}

function checkNames(schema: SchemaObject, value: SchemaObject, path: string): Problem | undefined {
  const { required, dependentRequired } = schema;
  const missing = (names: unknown): string | undefined =>
    Array.isArray(names)
      ? names.find((name): name is string => typeof name === 'string' && !Object.hasOwn(value, name))
      : undefined;
  const absent =
    missing(required) ??
    Object.entries(isObject(dependentRequired) ? dependentRequired : {})
      .filter(([name]) => Object.hasOwn(value, name))
      .map(([, names]) => missing(names))
      .find((name) => name !== undefined);
  if (absent !== undefined) return { path: fieldPath(path, absent), message: 'is missing' };
  const count = Object.keys(value).length;
  const least = limitOf(schema, 'minProperties');
  const most = limitOf(schema, 'maxProperties');
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
  const { propertyNames } = schema;
  for (const [name, field] of Object.entries(value)) {
    const at = fieldPath(path, name);
    if (propertyNames !== undefined && check.problem(propertyNames, name, at) !== undefined)
      return { path: at, message: 'has a name that is not allowed' };
    for (const part of partsFor(check, schema, name)) {
      if (part === false) return { path: at, message: 'is unknown' };
      const problem = check.problem(part, field, at);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** The schemas of a field. */
function partsFor({ matches }: SchemaCheck, schema: SchemaObject, name: string): unknown[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const own = isObject(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [];
  const patterns = Object.entries(isObject(patternProperties) ? patternProperties : {});
  const matched = patterns.filter(([pattern]) => matches?.(pattern, name) === true).map(([, part]) => part);
  const parts = [...own, ...matched];
  // Whether a field is a further one cannot be said where patterns are not tested.
  const isFurther = parts.length === 0 && (patterns.length === 0 || matches !== undefined);
  return isFurther && additionalProperties !== undefined ? [additionalProperties] : parts;
}
