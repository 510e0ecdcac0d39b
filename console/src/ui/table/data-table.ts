import type { ReactNode } from 'react';

/** What a cell is sorted, filtered and exported by. Times are milliseconds since the epoch, or a Date. */
export type CellValue = string | number | boolean | Date | null | undefined;

/** One column. */
export type DataColumn<Row> = {
  id: string;
  header: string;
  /** Leave it out for a column of buttons: it is then neither sorted, filtered nor exported. */
  value?: ((row: Row) => CellValue) | undefined;
  /** What shows; the value as text where it is left out. */
  cell?: ((row: Row) => ReactNode) | undefined;
  /** What shows on phones, where that differs from `cell`, e.g. nothing for a count of zero. */
  phoneCell?: ((row: Row) => ReactNode) | undefined;
  isSortable?: boolean | undefined;
  /** Text that the filter searches besides the value, e.g. "Connected" for a boolean. */
  filterText?: ((row: Row) => string) | undefined;
  align?: 'start' | 'end' | undefined;
  /** CSS length, e.g. "8rem" or "20%". Give them where there may be more than 200 rows, so that columns hold still. */
  width?: string | undefined;
  /** Its place in the card that stands for a row on phones; `labelled` (name and value on a line) by default. */
  onPhone?: 'title' | 'meta' | 'badge' | 'labelled' | 'hidden' | undefined;
};

/** By which column rows are sorted. */
export type TableSort = { id: string; isDescending: boolean };

/** Reads a sort from its form in the URL: the column's id, with "-" before it when descending. */
export function parseSort(text: string | undefined): TableSort | undefined {
  if (text === undefined || text === '' || text === '-') return undefined;
  return text.startsWith('-') ? { id: text.slice(1), isDescending: true } : { id: text, isDescending: false };
}

/** Writes a sort in the form of the URL. */
export function formatSort(sort: TableSort | undefined): string | undefined {
  return sort === undefined ? undefined : `${sort.isDescending ? '-' : ''}${sort.id}`;
}

/** The value of a cell as plain text, for filter and export. */
export function valueText(value: CellValue): string {
  if (value === null || value === undefined) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}
