import type { CellValue, DataColumn, TableSort } from './data-table.ts';
import { sortKey } from './sort-key.ts';

type Key = number | string | undefined;
type ValueOf<Row> = (row: Row) => CellValue;

// What a row is compared by is made once a column; rows are never changed, only replaced.
const keysOf = new WeakMap<object, WeakMap<object, Key>>();

/** The rows in the order of `sort`; empty values stand last in either direction, equal ones keep their order. */
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

/** The values that rows are sorted by; undefined where `sort` names no column that can be. */
export function sortedValue<Row>(
  columns: readonly DataColumn<Row>[],
  sort: TableSort | undefined,
): ValueOf<Row> | undefined {
  return sort === undefined ? undefined : columns.find(({ id }) => id === sort.id)?.value;
}

function keyReader<Row extends object>(value: ValueOf<Row>): (row: Row) => Key {
  const keys = keysOf.get(value) ?? new WeakMap<object, Key>();
  keysOf.set(value, keys);
  return (row) => {
    const known = keys.get(row);
    // A row without a key is read again, which is cheap.
    if (known !== undefined) return known;
    const key = sortKey(value(row));
    keys.set(row, key);
    return key;
  };
}
