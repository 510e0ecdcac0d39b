import { sql, type RawBuilder } from 'kysely';

/** The types of the elements of such arrays. */
export type ElementType = 'text' | 'int' | 'bigint' | 'bytea' | 'date' | 'timestamptz' | 'jsonb' | 'boolean';

/**
 * An array parameter for a statement that runs often with few values. The server does not see its length when it plans, and takes it for 10. If it saw the length, it would take
 * the plan for one value for cheaper than that for any, and plan the statement at each call, which takes longer than its execution.
 */
export function planOnce<Value>(values: readonly Value[], type: ElementType): RawBuilder<Value[]> {
  const array = sql.raw(`${type}[]`);
  // Without the second cast `any(…)` would compare with the rows of the subquery.
  return sql<Value[]>`(select ${values}::${array})::${array}`;
}
