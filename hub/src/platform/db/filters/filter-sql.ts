import type { Filter, FilterTest } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';

/**
 * The condition that a row passes a filter, from the conditions of its tests. Their SQL may be null for a row without a value, which then fails the test;
 * only negations make that explicit, so that PostgreSQL can still use an index for the others.
 */
export function filterSql(
  filter: Filter,
  testSql: (test: FilterTest) => RawBuilder<boolean>,
): RawBuilder<boolean> {
  if (filter.kind === 'all') return sql<boolean>`true`;
  if (filter.kind === 'not') return sql<boolean>`(${filterSql(filter.part, testSql)}) is not true`;
  if (!('parts' in filter)) return testSql(filter);
  const parts = filter.parts.map((part) => filterSql(part, testSql));
  return sql<boolean>`(${sql.join(parts, sql.raw(` ${filter.kind} `))})`;
}
