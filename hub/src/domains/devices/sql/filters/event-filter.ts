import {
  choiceOf,
  eventFields,
  findField,
  flagOf,
  ids,
  validateComparison,
  parseFilter,
  type Comparison,
  type FilterFields,
  type FilterTest,
  type Id,
} from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { anyLargeText, anyText } from '../../../../platform/db/paging/searched-text.ts';
import { filterSql } from '../../../../platform/db/filters/filter-sql.ts';
import { textIs, textOccurs, timeIs } from '../../../../platform/db/filters/text-sql.ts';

/** The condition that an event passes a filter on `fields`. Throws a `FilterError` of kind Invalid for a filter with a mistake. */
export function eventFilterSql(
  text: string | undefined,
  now: Date,
  fields: FilterFields = eventFields,
): RawBuilder<boolean> {
  const filter = parseFilter(text ?? '', flagOf(fields));
  return filter === undefined ? sql<boolean>`true` : filterSql(filter, (test) => testSql(test, now, fields));
}

const searchedColumns = [anyText(sql`category`), anyLargeText(sql`body #>> '{}'`)];

function testSql(test: FilterTest, now: Date, fields: FilterFields): RawBuilder<boolean> {
  if (test.kind === 'text') return textOccurs(searchedColumns, test);
  const found = findField(test.field, test.at, fields);
  if (test.kind !== 'compare')
    return found.name === 'category' ? sql<boolean>`category is not null` : sql<boolean>`true`;
  validateComparison(test, found);
  if (found.name === 'device') return hasDevice(test);
  if (found.name === 'emitted') return timeIs(sql`emitted_at`, test, now);
  return found.name === 'category' ? textIs(sql`category`, test) : hasSeverity(test);
}

function hasDevice({ operator, values }: Comparison): RawBuilder<boolean> {
  const devices = values.map(({ text }) => ids.device.raw(text as Id<'device'>));
  return operator === '!='
    ? sql<boolean>`device_id <> all(${devices})`
    : sql<boolean>`device_id = any(${devices})`;
}

function hasSeverity({ operator, values }: Comparison): RawBuilder<boolean> {
  const { choices = [] } = eventFields.named['severity'] ?? {};
  const severities = values.map(({ text }) => choiceOf(choices, text));
  return operator === '!='
    ? sql<boolean>`severity <> all(${severities})`
    : sql<boolean>`severity = any(${severities})`;
}
