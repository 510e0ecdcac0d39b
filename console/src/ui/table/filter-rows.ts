import { type DataColumn, valueText } from './data-table.ts';

type Haystacks = WeakMap<object, string>;

// What is searched of a row is made once; rows are never changed, only replaced. Pages make their columns anew with every
// change of the address, so what counts is whether the columns that are searched are the same.
const known: { searched: readonly object[]; haystacks: Haystacks }[] = [];
const tablesKept = 8;

function haystacksFor(searched: readonly object[]): Haystacks {
  const found = known.find(
    (one) =>
      one.searched.length === searched.length && one.searched.every((column, at) => column === searched[at]),
  );
  if (found !== undefined) return found.haystacks;
  const made = { searched, haystacks: new WeakMap<object, string>() };
  known.unshift(made);
  known.length = Math.min(known.length, tablesKept);
  return made.haystacks;
}

/** The rows in which every word of `filter` occurs, in any column and any case. */
export function filterRows<Row extends object>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
  filter: string,
): readonly Row[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  if (words.length === 0) return rows;
  const textOf = reader(columns);
  return rows.filter((row) => {
    const text = textOf(row);
    return words.every((word) => text.includes(word));
  });
}

/**
 * Makes ready what is searched of the rows, a slice at a time while the browser has nothing else to do, so that the first letter
 * of a filter over thousands of rows does not wait. Returns the way to call it off.
 */
export function prepareFilter<Row extends object>(
  rows: readonly Row[],
  columns: readonly DataColumn<Row>[],
): () => void {
  if (rows.length < prepareFrom || typeof requestIdleCallback !== 'function') return () => {};
  const textOf = reader(columns);
  let next = 0;
  let handle = requestIdleCallback(function prepare(idle) {
    do {
      for (const row of rows.slice(next, next + sliceRows)) textOf(row);
      next += sliceRows;
    } while (next < rows.length && idle.timeRemaining() > leftMs);
    if (next < rows.length) handle = requestIdleCallback(prepare);
  });
  return () => cancelIdleCallback(handle);
}

const prepareFrom = 1000;
const sliceRows = 100;
const leftMs = 5;

function reader<Row extends object>(columns: readonly DataColumn<Row>[]): (row: Row) => string {
  const searched = columns.filter(({ value, filterText }) => value !== undefined || filterText !== undefined);
  const haystacks = haystacksFor(searched);
  return (row) => {
    const text = haystacks.get(row) ?? haystack(row, searched);
    haystacks.set(row, text);
    return text;
  };
}

function haystack<Row>(row: Row, columns: readonly DataColumn<Row>[]): string {
  const texts = columns.flatMap((column) => [
    column.value === undefined ? '' : valueText(column.value(row)),
    column.filterText?.(row) ?? '',
  ]);
  // Joined by a line break, so that a word never matches across two cells.
  return texts.join('\n').toLowerCase();
}
