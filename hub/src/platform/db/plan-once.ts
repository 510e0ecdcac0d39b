import { sql, type RawBuilder } from 'kysely';

/** The types of the elements of such arrays. */
export type ElementType = 'text' | 'int' | 'bigint' | 'bytea' | 'date' | 'timestamptz' | 'jsonb' | 'boolean';

/**
 * An array parameter for a statement that runs often with few values. Hides the array's length from the planner, so PostgreSQL keeps one generic plan. Otherwise it
 * replans on each call, which costs more than the query.
 */
export function planOnce<Value>(values: readonly Value[], type: ElementType): RawBuilder<Value[]> {
  const array = sql.raw(`${type}[]`);
  // Without the second cast `any(…)` would compare with the rows of the subquery.
  return sql<Value[]>`(select ${values}::${array})::${array}`;
}

/**
 * A single parameter for such a statement. The planner does not see its value: of a null or a false it would leave out a part of the statement, find that plan cheaper than the one for
 * any values, and plan anew on each call.
 */
export function planOnceValue<Value>(value: Value, type: ElementType): RawBuilder<Value> {
  return sql<Value>`(select ${value}::${sql.raw(type)})`;
}
