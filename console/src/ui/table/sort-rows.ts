import type { CellValue, DataColumn, TableSort } from './data-table.ts';
import { sortKey } from './sort-key.ts';

type Key = number | string | undefined;
type ValueOf<Row> = (row: Row) => CellValue;

// Sort keys are computed once per column and row: rows are immutable.
const keysByColumn = new WeakMap<object, WeakMap<object, Key>>();

/** The rows sorted by `value`; empty values come last in either direction. The sort is stable. */
export function sortRows<Row extends object>(
  rows: readonly Row[],
  value: ValueOf<Row>,
  isDescending: boolean,
): readonly Row[] {
  const keyOf = keyReader(value);
  const keyed: { row: Row; key: number | string }[] = [];
  const empty: Row[] = [];
  for (const row of rows) {
    const key = keyOf(row);
    if (key === undefined) empty.push(row);
    else keyed.push({ row, key });
  }
  const sign = isDescending ? -1 : 1;
  keyed.sort((one, other) => (one.key === other.key ? 0 : one.key < other.key ? -sign : sign));
  return [...keyed.map(({ row }) => row), ...empty];
}

/** The function that reads the value to sort by; undefined where `sort` names no sortable column. */
export function sortedValue<Row>(
  columns: readonly DataColumn<Row>[],
  sort: TableSort | undefined,
): ValueOf<Row> | undefined {
  return sort === undefined ? undefined : columns.find(({ id }) => id === sort.id)?.value;
}

function keyReader<Row extends object>(value: ValueOf<Row>): (row: Row) => Key {
  const keys = keysByColumn.get(value) ?? new WeakMap<object, Key>();
  keysByColumn.set(value, keys);
  return (row) => {
    const known = keys.get(row);
    // An undefined key is computed again, which is cheap.
    if (known !== undefined) return known;
    const key = sortKey(value(row));
    keys.set(row, key);
    return key;
  };
}
