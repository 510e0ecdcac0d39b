import type { ReactNode } from 'react';

/** The value that a cell is sorted, filtered and exported by. Times are milliseconds since the epoch, or a Date. */
export type CellValue = string | number | boolean | Date | null | undefined;

/** Reads all rows of a list for an export, and tells how many it has read so far; `isCut` means that there are more. It rejects once `signal` aborts. */
export type ReadAllRows<Row> = (reading: {
  signal: AbortSignal;
  onRead: (count: number) => void;
}) => Promise<{ rows: readonly Row[]; isCut: boolean }>;

/** A column of a table. */
export type DataColumn<Row> = {
  id: string;
  header: string;
  /** Omit it for a column of buttons: that is then neither sorted, filtered, exported nor printed. */
  value?: ((row: Row) => CellValue) | undefined;
  /** The content; the value as text by default. */
  cell?: ((row: Row) => ReactNode) | undefined;
  /** The content on phones, where it differs from `cell`, e.g. nothing for a count of zero. */
  phoneCell?: ((row: Row) => ReactNode) | undefined;
  /** The text in an export, where it differs from the value. */
  csvText?: ((row: Row) => string) | undefined;
  isSortable?: boolean | undefined;
  /** Text that the filter searches besides the value, e.g. "Connected" for a boolean. */
  filterText?: ((row: Row) => string) | undefined;
  /** Makes the rows print as cards: with it, a table whose ids are printed in full does not fit a page. */
  isTooWideForPaper?: boolean | undefined;
  /** Makes the column optional, shown or hidden by default. A column without it is always shown. */
  byDefault?: 'shown' | 'hidden' | undefined;
  /** Shows an optional column on cards whatever is chosen, since they have room for it. */
  isOnEveryCard?: boolean | undefined;
  align?: 'start' | 'end' | undefined;
  /** Leaves the column out of a table that has no room for all; cards show it. */
  isExtra?: boolean | undefined;
  /** CSS length, e.g. "8rem" or "20%". Set it for tables of more than 200 rows, whose columns would otherwise change width while scrolling. */
  width?: string | undefined;
  /** The width in a tight table, where `width` is too much. */
  tightWidth?: string | undefined;
  /** Makes the column take what the other columns leave; in a short table those are as narrow as their content, whatever their `width`. */
  isFilling?: boolean | undefined;
  /** The position in the card of a row on phones; `labelled` (name and value on a line) by default. */
  onPhone?: 'title' | 'meta' | 'badge' | 'labelled' | 'menu' | 'hidden' | undefined;
};

/** Why the rows of a table could not be read, and what reads them again. */
export type TableFailure = { error: unknown; onRetry: () => void };

/** The column that rows are sorted by, and the direction. */
export type TableSort = { id: string; isDescending: boolean };

/** The least width of a column with the title of a row; the class `min-w-36` in a short table. */
const titleMinWidth = '9rem';

/** The least width of a column that takes what the others leave. */
const fillingMinWidth = '10rem';

/** The least width of a table whose columns have the widths that they ask for: the browser itself would leave the others none. */
export function minWidthOf<Row>(columns: readonly DataColumn<Row>[], isTight: boolean): string {
  const widths = columns.map(
    (column) =>
      widthOf(column, isTight) ??
      (column.onPhone === 'title' ? titleMinWidth : column.isFilling === true ? fillingMinWidth : '0rem'),
  );
  return `calc(${['0rem', ...widths].filter((width) => !width.endsWith('%')).join(' + ')})`;
}

/** The width of a column in a table, or in a tight one. */
export function widthOf<Row>({ width, tightWidth }: DataColumn<Row>, isTight: boolean): string | undefined {
  return isTight ? (tightWidth ?? width) : width;
}

/** Whether a table can be sorted by a column. */
export function isSortable<Row>({ value, isSortable: isAllowed }: DataColumn<Row>): boolean {
  return value !== undefined && isAllowed !== false;
}

/** Parses a sort from the URL: the column's id, after "-" when descending. */
export function parseSort(text: string | undefined): TableSort | undefined {
  if (text === undefined || text === '' || text === '-') return undefined;
  return text.startsWith('-') ? { id: text.slice(1), isDescending: true } : { id: text, isDescending: false };
}

/** Formats a sort for the URL. */
export function formatSort(sort: TableSort | undefined): string | undefined {
  return sort === undefined ? undefined : `${sort.isDescending ? '-' : ''}${sort.id}`;
}

/** The value of a cell as plain text, for filter and export. */
export function valueText(value: CellValue): string {
  if (value === null || value === undefined) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}

/** The classes of the space beside the content of a cell. */
export function cellPadding(isTight: boolean): string {
  return isTight ? 'px-1.5 first:ps-3.5 last:pe-3.5' : 'px-2.5 first:ps-4.5 last:pe-4.5';
}

/** The class that hides a column of buttons on paper. */
export function visibilityClass<Row>({ value }: DataColumn<Row>): string {
  return value === undefined ? 'print:hidden' : '';
}
