import { sql, type RawBuilder } from 'kysely';
import { listOrder, type ListOrder, type SortKey } from './list-order.ts';

/** The keys of the orders of a list, by the name of the order. */
type Keys<Row, Name extends string> = Readonly<
  Record<Name, (isDescending: boolean) => readonly SortKey<Row>[]>
>;

/** The order of a list by its name; a minus before it means descending. Cursors of the default order have the name of the list alone. */
export function namedOrder<Row, Name extends string>(
  list: string,
  keys: Keys<Row, Name>,
  order: Name | `-${Name}`,
  defaultOrder: Name | `-${Name}`,
): ListOrder<Row> {
  const isDescending = order.startsWith('-');
  const name = (isDescending ? order.slice(1) : order) as Name;
  const cursorName = order === defaultOrder ? list : `${list} ${order}`;
  return listOrder(cursorName, isDescending ? 'desc' : 'asc', keys[name](isDescending));
}

/** SQL of a sort key that puts rows without a value last in either direction; further keys follow it. */
export function nullsLast(value: RawBuilder<unknown>, isDescending: boolean): RawBuilder<boolean> {
  return isDescending ? sql<boolean>`(${value} is not null)` : sql<boolean>`(${value} is null)`;
}

/** SQL that selects the sort keys of a list that are not columns of its rows, each after a comma. */
export function derivedKeys<Row>(
  { keys }: ListOrder<Row>,
  columns: readonly SortKey<Row>[],
): RawBuilder<unknown> {
  const derived = keys.filter((key) => !columns.includes(key));
  return sql.join([sql``, ...derived.map(({ column, by }) => sql`, ${by} as ${sql.ref(column)}`)], sql``);
}
