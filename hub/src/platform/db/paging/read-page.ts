import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonTextsOf } from '../json-text.ts';
import { decodeCursor, encodeCursor, type KeyValue } from './cursor.ts';
import { positionOf, sliceOf, type ListOrder, type Slice } from './list-order.ts';

/** A request for a page of a list. */
export interface PageRequest {
  readonly limit?: number | undefined;
  /** The `next` of the previous page. */
  readonly after?: string | undefined;
}

/** A page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  /** To be spread into the answer: the cursor of the next page, or nothing at the end of the list. */
  readonly more: { readonly next?: string };
}

/** The most bytes of JSON in a page, below the 8 MiB that an answer over a device link may have. */
const maxPageBytes = 6 * 1024 * 1024;
/** Bytes of JSON that one turn of the event loop maps, unless a single row has more. */
const maxTurnBytes = 128 * 1024;

/** The first rows of a slice, as many as fit on the page (see `readWithinBytes`). */
export interface CutRows<Row> {
  readonly rows: readonly Row[];
  /** Whether the slice has more rows. */
  readonly isCut: boolean;
}

interface PageSource<Row, Item> {
  /** The raw id of the entity whose rows are listed, if the order has one list per entity; see also `filteredScope`. */
  readonly scope?: string;
  readonly read: (slice: Slice) => Promise<readonly Row[] | CutRows<Row>>;
  readonly toItem: (row: Row) => Item;
}

/** A scope with a filter, so that cursors of one filter are invalid for another. */
export function filteredScope(scope: string, filter: string | undefined): string {
  return filter === undefined ? scope : `${scope} ${JSON.stringify(filter)}`;
}

/**
 * Reads one page: up to the requested rows, the list's maximum, or 6 MiB, but at least one row. It reads in batches. Concurrent
 * changes never repeat a row on a later page. Throws an `ActionError` of kind Invalid for a cursor of another list.
 */
export async function readPage<Row, Item>(
  list: ListOrder<Row>,
  request: PageRequest,
  { scope = '', read, toItem }: PageSource<Row, Item>,
): Promise<Page<Item>> {
  const name = `${list.name} ${scope}`;
  const wantedRows = Math.min(request.limit ?? list.defaultRows, list.maxRows);
  let position = request.after === undefined ? undefined : decodeCursor(name, request.after, typesOf(list));
  const page = new PageItems<Item>(list.firstBatchRows);
  while (page.items.length < wantedRows) {
    const batchRows = Math.min(page.nextBatchRows(), list.maxBatchRows, wantedRows - page.items.length);
    // One row more shows whether there is a next page.
    const found = await read(sliceOf(list, position, batchRows + 1, page.bytesLeft));
    const { rows, isCut } = 'rows' in found ? found : { rows: found, isCut: false };
    for (const row of rows.slice(0, batchRows)) {
      if (!page.add(toItem(row))) return pageWithNext(page.items, name, position);
      position = positionOf(list, row);
      if (page.endTurnIfFull()) await nextTurn();
    }
    if (!isCut && rows.length <= batchRows) return { items: page.items, more: {} };
    if (page.bytesLeft <= 0) break;
  }
  return pageWithNext(page.items, name, position);
}

function typesOf<Row>({ keys }: ListOrder<Row>) {
  return keys.map(({ type }) => type);
}

/** A page that ends at a position. Without a position no row was read, because none was requested. */
function pageWithNext<Item>(
  items: Item[],
  name: string,
  position: readonly KeyValue[] | undefined,
): Page<Item> {
  if (items.length === 0 || position === undefined) return { items, more: {} };
  return { items, more: { next: encodeCursor(name, position) } };
}

/** The items of a page while it is read, with their size. */
class PageItems<Item> {
  readonly items: Item[] = [];
  readonly #firstBatchRows: number;
  #bytes = 0;
  #turnBytes = 0;

  constructor(firstBatchRows: number) {
    this.#firstBatchRows = firstBatchRows;
  }

  /** Adds an item and returns true, unless the page would be too large; the first item always fits. */
  add(item: Item): boolean {
    const bytes = bytesOf(item);
    if (this.items.length > 0 && this.#bytes + bytes > maxPageBytes) return false;
    this.items.push(item);
    this.#bytes += bytes;
    this.#turnBytes += bytes;
    return true;
  }

  /** How many bytes still fit on the page. */
  get bytesLeft(): number {
    return maxPageBytes - this.#bytes;
  }

  /** Starts the next turn of the event loop if this one has mapped enough, and returns whether it did; the caller yields then. */
  endTurnIfFull(): boolean {
    if (this.#turnBytes < maxTurnBytes) return false;
    this.#turnBytes = 0;
    return true;
  }

  /** How many rows to read next: about as many as still fit, by the average size so far. */
  nextBatchRows(): number {
    if (this.items.length === 0) return this.#firstBatchRows;
    const average = Math.max(1, this.#bytes / this.items.length);
    return Math.max(1, Math.ceil((maxPageBytes - this.#bytes) / average));
  }
}

/** The length of an item as JSON, without parsing documents that are text. */
function bytesOf(item: unknown): number {
  const texts = typeof item === 'object' && item !== null ? jsonTextsOf(item) : undefined;
  if (texts === undefined) return Buffer.byteLength(JSON.stringify(item));
  const rest = Object.fromEntries(
    Object.keys(item as object).map((key) => [
      key,
      texts.has(key) ? 0 : (item as Record<string, unknown>)[key],
    ]),
  );
  return [...texts.values()].reduce(
    (sum, text) => sum + Buffer.byteLength(text),
    Buffer.byteLength(JSON.stringify(rest)),
  );
}
