import type { ReactNode } from 'react';
import { type DataColumn, valueText } from './data-table.ts';

/** What a cell shows. */
export function cellOf<Row>(column: DataColumn<Row>, row: Row): ReactNode {
  return column.cell === undefined ? valueText(column.value?.(row)) : column.cell(row);
}
