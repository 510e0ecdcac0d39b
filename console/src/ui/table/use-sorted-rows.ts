import { useMemo } from 'react';
import type { DataColumn, TableSort } from './data-table.ts';
import { sortedValue, sortRows } from './sort-rows.ts';

/** The rows in the order of `sort`, or unchanged without it; memoised. */
export function useSortedRows<Row extends object>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
  sort: TableSort | undefined,
): readonly Row[] {
  const value = sortedValue(columns, sort);
  // Compared by value: a route that parses its sort from the URL passes a new object with each render.
  const isDescending = sort?.isDescending ?? false;
  return useMemo(
    () => (value === undefined ? rows : sortRows(rows, value, isDescending)),
    [rows, value, isDescending],
  );
}
