import { sql, type RawBuilder } from 'kysely';
import { listOrder, type ListOrder, type SortKey } from './list-order.ts';

/** The sort keys of each named order of a list. */
type Keys<Row, Name extends string> = Readonly<
  Record<Name, (isDescending: boolean) => readonly SortKey<Row>[]>
>;

/** The order of a list by its name, descending after a minus. The cursors of the default order stay valid when a list gets further orders. */
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

/** SQL of a first sort key that puts rows without a value last in both directions. */
export function nullsLast(value: RawBuilder<unknown>, isDescending: boolean): RawBuilder<boolean> {
  return isDescending ? sql<boolean>`(${value} is not null)` : sql<boolean>`(${value} is null)`;
}

/** SQL that selects the sort keys that are not columns of the rows, each after a comma. */
export function derivedKeys<Row>(
  { keys }: ListOrder<Row>,
  columns: readonly SortKey<Row>[],
): RawBuilder<unknown> {
  const derived = keys.filter((key) => !columns.includes(key));
  return sql.join([sql``, ...derived.map(({ column, by }) => sql`, ${by} as ${sql.ref(column)}`)], sql``);
}
