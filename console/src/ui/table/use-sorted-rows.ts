import { useMemo } from 'react';
import type { DataColumn, TableSort } from './data-table.ts';
import { sortedValue, sortRows } from './sort-rows.ts';

/** The rows in the order of `sort`; as they are without one. */
export function useSortedRows<Row extends object>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
  sort: TableSort | undefined,
): readonly Row[] {
  const value = sortedValue(columns, sort);
  // By value, because a route that reads its sort from the URL hands over a new object each time.
  const isDescending = sort?.isDescending ?? false;
  return useMemo(
    () => (value === undefined ? rows : sortRows(rows, value, isDescending)),
    [rows, value, isDescending],
  );
}
