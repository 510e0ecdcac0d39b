import { foldText } from '@corral/contract';
import { type DataColumn, valueText } from './data-table.ts';

/** The searched text of each row. */
type RowTexts = WeakMap<object, string>;

// The searched text of a row is computed once: rows are immutable. Keyed by the searched columns, not by the array of columns, which
// pages create again with every change of the URL.
const caches: { searched: readonly object[]; rowTexts: RowTexts }[] = [];
const maxCaches = 8;

function rowTextsFor(searched: readonly object[]): RowTexts {
  const found = caches.find(
    (one) =>
      one.searched.length === searched.length && one.searched.every((column, at) => column === searched[at]),
  );
  if (found !== undefined) return found.rowTexts;
  const added = { searched, rowTexts: new WeakMap<object, string>() };
  caches.unshift(added);
  caches.length = Math.min(caches.length, maxCaches);
  return added.rowTexts;
}

/** The rows in which every word of `filter` occurs, in any column, without case and accents. */
export function filterRows<Row extends object>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
  filter: string,
): readonly Row[] {
  const words = foldText(filter)
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (words.length === 0) return rows;
  const textOf = textReader(columns);
  return rows.filter((row) => {
    const text = textOf(row);
    return words.every((word) => text.includes(word));
  });
}

/**
 * Computes the searched texts of the rows in slices while the browser is idle, so that the first letter of a filter over thousands
 * of rows does not wait. Returns a function that cancels it.
 */
export function prepareFilter<Row extends object>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
): () => void {
  if (rows.length < minRows || typeof requestIdleCallback !== 'function') return () => {};
  const textOf = textReader(columns);
  let next = 0;
  let handle = requestIdleCallback(function prepare(idle) {
    do {
      for (const row of rows.slice(next, next + sliceRows)) textOf(row);
      next += sliceRows;
    } while (next < rows.length && idle.timeRemaining() > reserveMs);
    if (next < rows.length) handle = requestIdleCallback(prepare);
  });
  return () => cancelIdleCallback(handle);
}

const minRows = 1000;
const sliceRows = 100;
const reserveMs = 5;

function textReader<Row extends object>(columns: readonly DataColumn<Row>[]): (row: Row) => string {
  const searched = columns.filter(({ value, filterText }) => value !== undefined || filterText !== undefined);
  const rowTexts = rowTextsFor(searched);
  return (row) => {
    const text = rowTexts.get(row) ?? searchedText(row, searched);
    rowTexts.set(row, text);
    return text;
  };
}

function searchedText<Row>(row: Row, columns: readonly DataColumn<Row>[]): string {
  const texts = columns.flatMap((column) => [
    column.value === undefined ? '' : valueText(column.value(row)),
    column.filterText?.(row) ?? '',
  ]);
  // Joined by line breaks, so that a word never matches across two cells.
  return foldText(texts.join('\n'));
}
