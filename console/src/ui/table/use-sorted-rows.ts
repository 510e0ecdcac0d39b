import {
  type ColumnDef,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import type { DataColumn, TableSort } from './data-table.ts';
import { sortKey } from './sort-key.ts';

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
const none: never[] = [];

/** The rows in the order of `sort`; empty values stand last in either direction. */
export function useSortedRows<Row extends object>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
  sort: TableSort | undefined,
): readonly Row[] {
  const definitions = useMemo(() => columns.map((column) => define(column)), [columns]);
  // By value, because a route that reads its sort from the URL hands over a new object each time.
  const id = columns.some((column) => column.id === sort?.id) ? sort?.id : undefined;
  const desc = sort?.isDescending ?? false;
  const sorting = useMemo(() => (id === undefined ? [] : [{ id, desc }]), [id, desc]);
  const isSorted = sorting.length > 0;
  const table = useTable({
    features,
    columns: definitions,
    data: isSorted ? (rows as Row[]) : none,
    state: { sorting },
  });
  const model = table.getRowModel();
  return useMemo(() => (isSorted ? model.rows.map((row) => row.original) : rows), [model, isSorted, rows]);
}

function define<Row extends object>(column: DataColumn<Row>): ColumnDef<typeof features, Row, unknown> {
  return {
    id: column.id,
    // Undefined, unlike null, is what the table can keep at the end.
    accessorFn: (row) => sortKey(column.value?.(row)),
    enableSorting: column.value !== undefined,
    sortUndefined: 'last',
    sortFn: (one, other, id) => compare(one.getValue(id), other.getValue(id)),
  };
}

function compare(one: string | number, other: string | number): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
