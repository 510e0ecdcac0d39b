import type { Comparison } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { operandsOf, type Operand } from './json-sql.ts';
import { isOrder, orderOperators } from '../../../../platform/db/filters/text-sql.ts';

/** The longest text of the index, in characters. */
export const maxText = 200;

/** How conditions find what devices have: all devices that fit at once, for a whole list, or for each device by itself, for a part of one. */
export type Lookup = 'set' | 'each';

/** The condition that a device, `d`, is one of those that SQL selects. PostgreSQL reads them once, however few devices it expects: without `is true` it may read them for each device of the list. */
export function isAmong(devices: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(d.device_id in (${devices})) is true`;
}

/** The condition that a device, `d`, has an indexed value that fits, or any; undefined where the index does not tell. */
export function indexFits(
  keyId: number,
  comparison: Comparison | undefined,
  lookup: Lookup,
): RawBuilder<boolean> | undefined {
  if (comparison === undefined) return hasIndexed(keyId, [always], lookup);
  const conditions = conditionsOf(comparison);
  if (conditions === undefined) return undefined;
  const fits = hasIndexed(keyId, conditions, lookup);
  if (comparison.operator !== '!=') return fits;
  return sql<boolean>`(${hasIndexed(keyId, [always], lookup)} and (${fits}) is not true)`;
}

/** SQL that selects the devices with an indexed value that fits, or any; undefined where the index does not tell, and for comparisons that most devices fit. */
export function devicesThatFit(
  keyId: number,
  comparison: Comparison | undefined,
): RawBuilder<unknown> | undefined {
  if (comparison?.operator === '!=') return undefined;
  const conditions = comparison === undefined ? [always] : conditionsOf(comparison);
  return conditions === undefined ? undefined : devicesWith(keyId, conditions);
}

/** As a set: the key is written out, so that PostgreSQL plans for this key. For each device: a subquery with a limit is never made a set. */
function hasIndexed(
  keyId: number,
  conditions: readonly RawBuilder<boolean>[],
  lookup: Lookup,
): RawBuilder<boolean> {
  if (lookup === 'set') return isAmong(devicesWith(keyId, conditions));
  return sql<boolean>`(select true from device_facts f where f.device_id = d.device_id and f.key_id = ${sql.lit(keyId)}
    and (${sql.join(conditions, sql` or `)}) limit 1) is true`;
}

/** A part for each condition, because each has an index of its own. */
function devicesWith(keyId: number, conditions: readonly RawBuilder<boolean>[]): RawBuilder<unknown> {
  const parts = conditions.map(
    (condition) =>
      sql`select f.device_id from device_facts f where f.key_id = ${sql.lit(keyId)} and ${condition}`,
  );
  return sql.join(parts, sql` union all `);
}

const always = sql<boolean>`true`;

/** The conditions on an indexed value, one of which has to hold: equal values by their type, then the others; undefined for longer texts than the index has. */
function conditionsOf({ operator, values, field }: Comparison): readonly RawBuilder<boolean>[] | undefined {
  const operands = values.flatMap((value) => operandsOf(value, operator === '!=' ? '=' : operator, field));
  if (operands.some(({ operand }) => typeof operand === 'string' && operand.length > maxText))
    return undefined;
  const equal = operands.filter(({ compare }) => compare === '==').map(({ operand }) => operand);
  const texts = equal.filter((operand) => typeof operand === 'string');
  const numbers = equal.filter((operand) => typeof operand === 'number').map(String);
  const flags = equal.filter((operand) => typeof operand === 'boolean');
  return [
    ...(texts.length > 0 ? [sql<boolean>`f.value_text = any(${texts}::text[])`] : []),
    ...(numbers.length > 0 ? [sql<boolean>`f.value_num = any(${numbers}::numeric[])`] : []),
    ...(flags.length > 0 ? [sql<boolean>`f.value_flag = any(${flags}::boolean[])`] : []),
    ...operands.filter(({ compare }) => compare !== '==').map(operandSql),
  ];
}

function operandSql({ compare, operand }: Operand): RawBuilder<boolean> {
  const isText = typeof operand === 'string';
  const value = isText ? sql`${operand}::text` : sql`${String(operand)}::numeric`;
  const column = isText ? sql`f.value_text` : sql`f.value_num`;
  if (compare === 'starts with') return sql<boolean>`${column} ^@ ${value}`;
  return sql<boolean>`${column} ${isOrder(compare) ? orderOperators[compare] : sql`=`} ${value}`;
}
