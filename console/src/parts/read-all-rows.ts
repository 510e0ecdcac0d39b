import type { ReadAllRows } from '../ui/table/data-table.ts';

/** No export has more rows. */
export const maxExportRows = 100_000;

/** A page of rows, with where the next one begins; undefined at the end of the list. */
interface RowsPage<Row, Cursor> {
  readonly rows: readonly Row[];
  readonly next: Cursor | undefined;
}

/** Reads a list page by page, up to `maxExportRows` rows. A row that has moved from one page to another meanwhile is where it was read last. */
export function readAllRows<Row, Cursor>(
  readPage: (after: Cursor | undefined) => Promise<RowsPage<Row, Cursor>>,
  keyOf: (row: Row) => string,
): ReadAllRows<Row> {
  return async ({ signal, onRead }) => {
    const read = new Map<string, Row>();
    let next: Cursor | undefined;
    do {
      signal.throwIfAborted();
      const page = await readPage(next);
      signal.throwIfAborted();
      for (const row of page.rows) {
        read.delete(keyOf(row));
        read.set(keyOf(row), row);
      }
      onRead(read.size);
      ({ next } = page);
    } while (next !== undefined && read.size < maxExportRows);
    const rows = [...read.values()];
    return {
      rows: rows.slice(0, maxExportRows),
      isCut: next !== undefined || rows.length > maxExportRows,
    };
  };
}
