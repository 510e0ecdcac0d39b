import { expect, it } from 'vitest';
import type { DataColumn } from './data-table.ts';
import { sortedValue, sortRows } from './sort-rows.ts';

type Row = { name: string | null; size: number };

const name = (row: Row) => row.name;
const columns: DataColumn<Row>[] = [
  { id: 'name', header: 'Name', value: name },
  { id: 'actions', header: 'Actions' },
];
const rows: Row[] = [
  { name: 'crane-10', size: 1 },
  { name: null, size: 2 },
  { name: 'Crane-9', size: 3 },
  { name: 'crane-10', size: 4 },
];
const sizes = (sorted: readonly Row[]) => sorted.map(({ size }) => size);

it('sorts empty values last in either direction, and is stable', () => {
  expect(sizes(sortRows(rows, name, false))).toEqual([3, 1, 4, 2]);
  expect(sizes(sortRows(rows, name, true))).toEqual([1, 4, 3, 2]);
  expect(sizes(rows)).toEqual([1, 2, 3, 4]);
});

it('sorts a replaced row by its new value', () => {
  expect(sizes(sortRows([...rows.slice(1), { name: 'aerial', size: 5 }], name, false))).toEqual([5, 3, 4, 2]);
});

it('sorts only by columns that have a value', () => {
  expect(sortedValue(columns, { id: 'name', isDescending: true })).toBe(name);
  expect(sortedValue(columns, { id: 'actions', isDescending: false })).toBeUndefined();
  expect(sortedValue(columns, { id: 'gone', isDescending: false })).toBeUndefined();
  expect(sortedValue(columns, undefined)).toBeUndefined();
});
