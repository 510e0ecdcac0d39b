import { z } from 'zod';
import { ActionError } from './errors.ts';
import { haveSameFirstWord, isNear } from './near-names.ts';

/** How many unknown fields of one input are compared with those that exist. */
const maxComparedFields = 50;

type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** Refuses unknown fields whose names are near that of a field which is absent; others are ignored, since a newer client may send them. */
export class UnknownFields {
  #comparisonsLeft = maxComparedFields;

  /** Checks one object of the input; `path` is where it is. Throws an `ActionError` of kind Invalid. */
  check(shape: Shape, value: Readonly<Record<string, unknown>>, path: readonly PropertyKey[]): void {
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(shape, name)) continue;
      if (this.#comparisonsLeft === 0) return;
      this.#comparisonsLeft -= 1;
      const meant = nearField(shape, value, name) ?? nearNestedField(shape, value, name);
      if (meant !== undefined) throw new ActionError('Invalid', sentence(name, meant, path));
    }
  }
}

function sentence(name: string, meant: string, path: readonly PropertyKey[]): string {
  const where = path.length === 0 ? 'The input' : `The field ${path.map(String).join('.')}`;
  return `${where} has no field ${name}; did you mean ${meant}?`;
}

function nearField(shape: Shape, value: Readonly<Record<string, unknown>>, name: string): string | undefined {
  return Object.entries(shape).find(
    ([known, field]) => !Object.hasOwn(value, known) && isMeant(name, value[name], known, field),
  )?.[0];
}

/** A field of an object one level below: `autoAccept` for `flags.autoAccept`. */
function nearNestedField(
  shape: Shape,
  value: Readonly<Record<string, unknown>>,
  name: string,
): string | undefined {
  for (const [outer, field] of Object.entries(shape)) {
    const inner = unwrapped(field);
    if (!(inner instanceof z.ZodObject)) continue;
    const below = isRecord(value[outer]) ? value[outer] : {};
    const meant = Object.hasOwn(inner.shape, name)
      ? name
      : nearField(inner.shape as Shape, { ...below, [name]: value[name] }, name);
    if (meant !== undefined) return `${outer}.${meant}`;
  }
  return undefined;
}

function isMeant(name: string, value: unknown, known: string, field: z.core.$ZodType): boolean {
  if (isNear(name, known)) return true;
  const isSwitch = typeof value === 'boolean' && unwrapped(field) instanceof z.ZodBoolean;
  return isSwitch && haveSameFirstWord(name, known);
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ? schema.unwrap() : schema;
}

/** Whether a value is an object with fields. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
