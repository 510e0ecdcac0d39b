import { z } from 'zod';
import { ActionError } from './errors.ts';

/**
 * Validates an input against its schema. `null` where a field is optional means absent; unknown fields are dropped.
 * Throws an `ActionError` of kind Invalid whose sentence names the first field that is wrong.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = schema.safeParse(withoutNulls(schema, input));
  if (result.success) return result.data;
  throw new ActionError('Invalid', sentence(result.error));
}

function withoutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional) return withoutNulls(schema.unwrap(), value);
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    return value.map((item) => withoutNulls(schema.element, item));
  }
  if (!(schema instanceof z.ZodObject) || !isRecord(value)) return value;
  const kept: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(schema.shape) as [string, z.core.$ZodType][]) {
    if (!Object.hasOwn(value, key)) continue;
    if (value[key] === null && field instanceof z.ZodOptional) continue;
    kept[key] = withoutNulls(field, value[key]);
  }
  return kept;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sentence(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'The input is not of the right shape.';
  const where = issue.path.length === 0 ? 'The input' : `The field ${issue.path.map(String).join('.')}`;
  if (issue.message.endsWith('received undefined')) return `${where} is missing.`;
  const text = issue.message.replace(/^Invalid (input|option): /, '').replace(/\.$/, '');
  return /^(must|is|may) /.test(text) ? `${where} ${text}.` : `${where} is wrong: ${text}.`;
}
