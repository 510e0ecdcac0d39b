import type { Comparison } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { operandsOf, type Operand } from './json-sql.ts';
import { isOrder, orderOperators } from './text-sql.ts';

const maxText = 200;

/** The condition that a device, `d`, has a fact that fits, or any; undefined where facts do not tell. */
export function factFits(keyId: number, comparison: Comparison | undefined): RawBuilder<boolean> | undefined {
  if (comparison === undefined) return hasFact(keyId, sql<boolean>`true`);
  const { operator, values, field } = comparison;
  const isNegated = operator === '!=';
  const operands = values.flatMap((value) => operandsOf(value, isNegated ? '=' : operator, field));
  if (operands.some(({ operand }) => typeof operand === 'string' && operand.length > maxText))
    return undefined;
  const fits = hasFact(keyId, sql<boolean>`(${sql.join(operands.map(operandSql), sql` or `)})`);
  return isNegated ? sql<boolean>`(${hasFact(keyId, sql<boolean>`true`)} and (${fits}) is not true)` : fits;
}

/** `is true` has PostgreSQL read the devices once, as a set, and the key is written out, so that it plans for this key. */
function hasFact(keyId: number, condition: RawBuilder<boolean>): RawBuilder<boolean> {
  return sql<boolean>`(d.device_id in (
    select f.device_id from device_facts f where f.key_id = ${sql.lit(keyId)} and ${condition})) is true`;
}

function operandSql({ compare, operand }: Operand): RawBuilder<boolean> {
  if (typeof operand === 'boolean') return sql<boolean>`f.value_flag = ${operand}`;
  const isText = typeof operand === 'string';
  const value = isText ? sql`${operand}::text` : sql`${String(operand)}::numeric`;
  const column = isText ? sql`f.value_text` : sql`f.value_num`;
  if (compare === 'starts with') return sql<boolean>`${column} ^@ ${value}`;
  return sql<boolean>`${column} ${isOrder(compare) ? orderOperators[compare] : sql`=`} ${value}`;
}
