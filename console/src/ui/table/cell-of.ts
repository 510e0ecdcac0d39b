import type { ReactNode } from 'react';
import { type DataColumn, valueText } from './data-table.ts';

/** The content of a cell. */
export function cellOf<Row>(column: DataColumn<Row>, row: Row): ReactNode {
  return column.cell === undefined ? valueText(column.value?.(row)) : column.cell(row);
}
