import { FilterError, numberIn, type Comparison, type FilterValue } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { isOrder } from '../../../../platform/db/filters/text-sql.ts';

/**
 * The condition that a JSON document has, at a path, a value that fits; of arrays on the way any element counts. The path and the values are parameters, and
 * the errors of unfitting types count as no value.
 */
export function jsonFits(
  document: RawBuilder<unknown>,
  keys: readonly string[],
  { operator, values, field }: Pick<Comparison, 'operator' | 'values' | 'field'>,
): RawBuilder<boolean> {
  if (operator === '!=')
    return sql<boolean>`(${jsonHas(document, keys)} and not ${jsonFits(document, keys, { operator: '=', values, field })})`;
  const operands = values.flatMap((value) => operandsOf(value, operator, field));
  const conditions = operands.map(({ compare }, index) => `@ ${compare} $v${index}`);
  const variables = Object.fromEntries(operands.map(({ operand }, index) => [`v${index}`, operand]));
  return exists(document, `${pathOf(keys)} ? (${conditions.join(' || ')})`, variables);
}

/** The condition that the document has a value at the path. */
export function jsonHas(document: RawBuilder<unknown>, keys: readonly string[]): RawBuilder<boolean> {
  return exists(document, `${pathOf(keys)} ? (@ != null)`, {});
}

function exists(
  document: RawBuilder<unknown>,
  path: string,
  variables: Readonly<Record<string, unknown>>,
): RawBuilder<boolean> {
  return sql<boolean>`jsonb_path_exists(${document}, ${path}::jsonpath, ${JSON.stringify(variables)}::jsonb, true)`;
}

/** The JSON path to a value. Keys are written as JSON strings, which paths read in the same way. */
export function pathOf(keys: readonly string[]): string {
  return `lax $${keys.map((key) => `.${JSON.stringify(key)}`).join('')}`;
}

/** A value as a path compares it. */
export interface Operand {
  readonly compare: string;
  readonly operand: string | number | boolean;
}

/** What a value stands for: `5` is a number and a text, `true` a text and no number. */
export function operandsOf(value: FilterValue, operator: Comparison['operator'], field: string): Operand[] {
  if (isOrder(operator)) return [orderedOperand(value, operator, field)];
  if (value.isPrefix) return [{ compare: 'starts with', operand: value.text }];
  const number = numberIn(value);
  const isBoolean = !value.isQuoted && (value.text === 'true' || value.text === 'false');
  return [
    { compare: '==', operand: value.text },
    ...(number === undefined ? [] : [{ compare: '==', operand: number }]),
    ...(isBoolean ? [{ compare: '==', operand: value.text === 'true' }] : []),
  ];
}

/** Devices write times as texts that are ordered as the times are. */
function orderedOperand(value: FilterValue, compare: string, field: string): Operand {
  const number = numberIn(value);
  if (number !== undefined) return { compare, operand: number };
  if (!value.isPrefix && /^\d{4}-\d\d-\d\d/.test(value.text)) return { compare, operand: value.text };
  throw new FilterError(
    `"${field}" is compared with a number here, such as 10 or 1.5GB, or with a date.`,
    value.at,
  );
}
