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
