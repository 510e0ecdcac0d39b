import { expect, test } from 'vitest';
import type { z } from 'zod';
import { actions } from './index.ts';

type Def = z.core.$ZodTypes['_zod']['def'];

/** The paths of the strings in a schema that may have any length. JSON documents are bounded by the size of the input. */
function unboundedIn(schema: z.core.$ZodType, path: string, seen = new Set<z.core.$ZodType>()): string[] {
  // Expressions contain expressions.
  if (seen.has(schema)) return [];
  seen.add(schema);
  const { def } = schema._zod as unknown as { def: Def };
  const within = (inner: unknown, more = ''): string[] =>
    unboundedIn(inner as z.core.$ZodType, path + more, seen);
  switch (def.type) {
    case 'string':
      return typeof (schema as z.ZodString).maxLength === 'number' ? [] : [path];
    case 'object':
      return Object.entries(def.shape).flatMap(([key, field]) => within(field, `.${key}`));
    case 'array':
      return within(def.element, '[]');
    case 'record':
      return [...within(def.keyType, '{key}'), ...within(def.valueType, '{}')];
    case 'union':
      return def.options.flatMap((option) => within(option));
    case 'pipe':
      return [...within(def.in), ...within(def.out)];
    case 'intersection':
      return [...within(def.left), ...within(def.right)];
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return within(def.innerType);
    case 'lazy':
      return within(def.getter());
    case 'boolean':
    case 'custom':
    case 'enum':
    case 'literal':
    case 'null':
    case 'number':
    case 'transform':
      return [];
    default:
      return [`${path} is a ${def.type}, which this test does not know`];
  }
}

test.each(['input', 'output'] as const)('every string of an %s has a maximum length', (side) => {
  const found = Object.entries(actions).flatMap(([name, action]) => unboundedIn(action[side], name));
  expect(found).toEqual([]);
});
