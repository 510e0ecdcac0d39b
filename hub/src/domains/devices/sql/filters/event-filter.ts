import {
  choiceOf,
  eventFields,
  findField,
  flagOf,
  validateComparison,
  parseFilter,
  type Comparison,
  type FilterTest,
} from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { anyLargeText, anyText } from '../../../../platform/db/paging/searched-text.ts';
import { filterSql } from '../../../../platform/db/filters/filter-sql.ts';
import { textIs, textOccurs, timeIs } from '../../../../platform/db/filters/text-sql.ts';

/** The condition that an event of a device passes a filter. Throws a `FilterError` of kind Invalid for a filter with a mistake. */
export function eventFilterSql(text: string | undefined, now: Date): RawBuilder<boolean> {
  const filter = parseFilter(text ?? '', flagOf(eventFields));
  return filter === undefined ? sql<boolean>`true` : filterSql(filter, (test) => testSql(test, now));
}

const searchedColumns = [anyText(sql`category`), anyLargeText(sql`body #>> '{}'`)];

function testSql(test: FilterTest, now: Date): RawBuilder<boolean> {
  if (test.kind === 'text') return textOccurs(searchedColumns, test);
  const found = findField(test.field, test.at, eventFields);
  if (test.kind !== 'compare')
    return found.name === 'category' ? sql<boolean>`category is not null` : sql<boolean>`true`;
  validateComparison(test, found);
  if (found.name === 'emitted') return timeIs(sql`emitted_at`, test, now);
  return found.name === 'category' ? textIs(sql`category`, test) : hasSeverity(test);
}

function hasSeverity({ operator, values }: Comparison): RawBuilder<boolean> {
  const { choices = [] } = eventFields.named['severity'] ?? {};
  const severities = values.map(({ text }) => choiceOf(choices, text));
  return operator === '!='
    ? sql<boolean>`severity <> all(${severities})`
    : sql<boolean>`severity = any(${severities})`;
}
