import { z } from 'zod';
import { ActionError } from './errors.ts';
import { isRecord, UnknownFields } from './unknown-fields.ts';

/** The items of a longer list are checked one by one, so that no more than one of them is reported. */
const maxItemsCheckedTogether = 16;
/** How many entries a map of an input may have whose values have a shape. */
const maxMapEntries = 1000;

type Path = readonly PropertyKey[];

/**
 * Validates an input against its schema: `null` where a field is optional means absent, unknown fields are dropped unless their name is
 * near that of a known one. Throws an `ActionError` of kind Invalid that names the first wrong field.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  return parse(schema, prepare(schema, input, [], new UnknownFields()), []);
}

function parse<Schema extends z.core.$ZodType>(schema: Schema, value: unknown, path: Path): z.output<Schema> {
  const result = z.safeParse(schema, value);
  if (result.success) return result.data;
  throw new ActionError('Invalid', sentence(result.error, value, path));
}

/** Drops fields that the schema ignores, and refuses inputs for which it would report many errors. */
function prepare(schema: z.core.$ZodType, value: unknown, path: Path, unknown: UnknownFields): unknown {
  if (schema instanceof z.ZodOptional) return prepare(schema.unwrap(), value, path, unknown);
  if (schema instanceof z.ZodLazy) return prepare(schema.unwrap(), value, path, unknown);
  if (schema instanceof z.ZodDiscriminatedUnion && isRecord(value)) {
    const option = optionFor(schema, value);
    return option === undefined ? value : prepare(option, value, path, unknown);
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) return prepareList(schema, value, path, unknown);
  if (schema instanceof z.ZodRecord && isRecord(value))
    requireAtMost(Object.keys(value).length, maxMapEntries, path);
  if (schema instanceof z.ZodObject && isRecord(value)) return prepareObject(schema, value, path, unknown);
  // Zod compares the `length` of whatever stands in place of a text or a list, and throws where that is an object.
  if ((schema instanceof z.ZodString || schema instanceof z.ZodArray) && isRecord(value)) return {};
  return value;
}

/** The variant that the value says it is. */
function optionFor(
  { options, def }: z.ZodDiscriminatedUnion,
  value: Record<string, unknown>,
): z.core.$ZodType | undefined {
  const kind = value[def.discriminator] as z.core.util.Primitive;
  return options.find((option) => option._zod.propValues?.[def.discriminator]?.has(kind) === true);
}

function prepareList(schema: z.ZodArray, value: unknown[], path: Path, unknown: UnknownFields): unknown[] {
  requireAtMost(value.length, schema.meta()?.['maxItems'], path);
  return value.map((item, index) => {
    const prepared = prepare(schema.element, item, [...path, index], unknown);
    if (value.length > maxItemsCheckedTogether) parse(schema.element, prepared, [...path, index]);
    return prepared;
  });
}

function prepareObject(
  { shape }: z.ZodObject,
  value: Record<string, unknown>,
  path: Path,
  unknown: UnknownFields,
): Record<string, unknown> {
  unknown.check(shape, value, path);
  const kept: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(shape)) {
    if (!Object.hasOwn(value, key)) continue;
    if (value[key] === null && field instanceof z.ZodOptional) continue;
    kept[key] = prepare(field, value[key], [...path, key], unknown);
  }
  return kept;
}

function requireAtMost(count: number, max: unknown, path: Path): void {
  if (typeof max === 'number' && count > max)
    throw new ActionError('Invalid', `${placeOf(path)} may have at most ${max} entries.`);
}

function placeOf(path: Path): string {
  return path.length === 0 ? 'The input' : `The field ${path.map(String).join('.')}`;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

/** JSON of any shape is checked by a rule of ours. */
const typeErrors: ReadonlySet<string> = new Set(['invalid_type', 'custom']);

function sentence(error: z.core.$ZodError, value: unknown, path: Path): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'The input is not of the right shape.';
  const where = placeOf([...path, ...issue.path]);
  if (typeErrors.has(issue.code) && valueAt(value, issue.path) === undefined) return `${where} is missing.`;
  const text = issue.message.replace(/^Invalid (input|option): /, '').replace(/\.$/, '');
  return /^(must|is|may) /.test(text) ? `${where} ${text}.` : `${where} is wrong: ${text}.`;
}
