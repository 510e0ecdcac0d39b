import {
  actions,
  choiceOf,
  commandFields,
  events,
  findField,
  flagOf,
  logFields,
  validateComparison,
  parseFilter,
  type Comparison,
  type FilterFields,
  type FilterTest,
  type FilterValue,
} from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import { filterSql } from '../../../platform/db/filters/filter-sql.ts';
import { textIs, timeIs } from '../../../platform/db/filters/text-sql.ts';

/** The lists of the audit log: their fields, and the column with the name of what happened, and all of these names. */
const lists = {
  events: { fields: logFields, column: 'event', names: Object.keys(events) },
  commands: { fields: commandFields, column: 'action', names: Object.keys(actions) },
} as const satisfies Record<string, LogList>;

interface LogList {
  readonly fields: FilterFields;
  readonly column: 'event' | 'action';
  readonly names: readonly string[];
}

/** The condition that an entry of the audit log passes a filter. Throws a `FilterError` of kind Invalid for a filter with a mistake. */
export function logFilterSql(
  list: keyof typeof lists,
  text: string | undefined,
  now: Date,
): RawBuilder<boolean> {
  const { fields } = lists[list];
  const filter = parseFilter(text ?? '', flagOf(fields));
  return filter === undefined
    ? sql<boolean>`true`
    : filterSql(filter, (test) => testSql(lists[list], test, now));
}

function testSql(list: LogList, test: FilterTest, now: Date): RawBuilder<boolean> {
  if (test.kind === 'text') return isNamedLike(list, test);
  const found = findField(test.field, test.at, list.fields);
  if (test.kind !== 'compare') return sql<boolean>`true`;
  validateComparison(test, found);
  if (found.name === 'created') return timeIs(sql`created_at`, test, now);
  if (found.name === 'actor') return textIs(sql`actor_key(actor)`, test);
  if (found.name === 'status') return hasStatus(test);
  return textIs(sql.ref(list.column), {
    ...test,
    values: test.values.flatMap((value) => namesOf(list, value)),
  });
}

/** A word is looked for in the names of what can happen, so that an index finds the entries. */
function isNamedLike(
  { names, column }: LogList,
  { text, isPrefix }: Extract<FilterTest, { kind: 'text' }>,
): RawBuilder<boolean> {
  const searched = text.toLowerCase();
  const isLike = (name: string) =>
    isPrefix ? name.toLowerCase().startsWith(searched) : name.toLowerCase().includes(searched);
  return sql<boolean>`${sql.ref(column)} = any(${names.filter(isLike)})`;
}

/** The names that begin with a value; a name of an older hub stays what it is. */
function namesOf({ names }: LogList, value: FilterValue): FilterValue[] {
  if (!value.isPrefix) return [value];
  const begun = names.filter((name) => name.startsWith(value.text));
  return begun.length === 0 ? [value] : begun.map((text) => ({ ...value, text, isPrefix: false }));
}

/** The index of commands without success is used only where the statement says that the status is another. */
function hasStatus({ operator, values }: Comparison): RawBuilder<boolean> {
  const { choices = [] } = commandFields.named['status'] ?? {};
  const statuses = values.map(({ text }) => choiceOf(choices, text));
  const isOne = sql<boolean>`status = any(${statuses})`;
  if (operator === '!=') return sql<boolean>`not ${isOne}`;
  return statuses.includes('Succeeded') ? isOne : sql<boolean>`(${isOne} and status <> 'Succeeded')`;
}
