import { setImmediate as nextTurn } from 'node:timers/promises';
import { reserveAnswer, smallAnswerBytes } from '../../concurrency/answer-memory.ts';
import { jsonTextsOf } from '../../db/json-text.ts';
import { decodeCursor, encodeCursor, type KeyValue } from './cursor.ts';
import { positionOf, sliceOf, type ListOrder, type Slice } from './list-order.ts';

/** The requested page of a list. */
export interface PageRequest {
  readonly limit?: number | undefined;
  /** The cursor that the page before ended with. */
  readonly after?: string | undefined;
}

/** A page of a list. */
export interface Page<Item> {
  readonly items: Item[];
  /** To be spread into the answer: the cursor of the next page, nothing where the list has ended. */
  readonly more: { readonly next?: string };
}

/** The most bytes of JSON in one page: an answer over a device link may have 8 MiB. */
const maxPageBytes = 6 * 1024 * 1024;
/** Bytes of JSON that one turn of the event loop maps, unless a single row has more. */
const turnBytes = 128 * 1024;

/** The first rows of a slice: `readWithinBytes` reads no more of it than fits the page. */
export interface CutRows<Row> {
  readonly rows: readonly Row[];
  /** Whether the slice has more rows. */
  readonly isCut: boolean;
}

interface Reading<Row, Item> {
  /** The raw id of what the list belongs to, where there are several lists of this order. */
  readonly of?: string;
  readonly read: (slice: Slice) => Promise<readonly Row[] | CutRows<Row>>;
  readonly toItem: (row: Row) => Item;
}

/** What a list belongs to, with the filter that its rows pass: a cursor of one filter is no cursor of another. */
export function filteredList(of: string, filter: string | undefined): string {
  return filter === undefined ? of : `${of} ${JSON.stringify(filter)}`;
}

/**
 * Reads one page: as many rows as are asked for, the list's limit of rows, or 6 MiB, whichever comes first; a row that alone is larger than that is a page.
 * Rows are read in batches, so that memory is bounded as well; a page above 256 KiB waits for the memory that large answers share. Rows that are added or removed meanwhile do not shift others: no row is read twice.
 * Throws an `ActionError` of kind Invalid for a cursor that is not of this list.
 */
export async function readPage<Row, Item>(
  list: ListOrder<Row>,
  request: PageRequest,
  { of = '', read, toItem }: Reading<Row, Item>,
): Promise<Page<Item>> {
  const name = `${list.name} ${of}`;
  const wanted = Math.min(request.limit ?? list.defaultRows, list.maxRows);
  let position = request.after === undefined ? undefined : decodeCursor(name, request.after, typesOf(list));
  const page = new PageItems<Item>(list.rowsAtFirst);
  while (page.items.length < wanted) {
    const asked = Math.min(page.nextStep(), list.rowsAtOnce, wanted - page.items.length);
    // One row more than fits shows whether there is a next page.
    if (page.isLarge) await reserveAnswer();
    const found = await read(sliceOf(list, position, asked + 1, page.bytesAtOnce));
    const { rows, isCut } = 'rows' in found ? found : { rows: found, isCut: false };
    for (const row of rows.slice(0, asked)) {
      if (!page.add(toItem(row))) return cut(page.items, name, position);
      position = positionOf(list, row);
      if (page.isTurnFull()) await nextTurn();
    }
    if (!isCut && rows.length <= asked) return { items: page.items, more: {} };
    if (page.bytesLeft <= 0) break;
  }
  return cut(page.items, name, position);
}

function typesOf<Row>({ keys }: ListOrder<Row>) {
  return keys.map(({ type }) => type);
}

/** Without a position no row was read, because none was requested. */
function cut<Item>(items: Item[], name: string, position: readonly KeyValue[] | undefined): Page<Item> {
  if (items.length === 0 || position === undefined) return { items, more: {} };
  return { items, more: { next: encodeCursor(name, position) } };
}

/** The items of a page with their size. */
class PageItems<Item> {
  readonly items: Item[] = [];
  readonly #firstStep: number;
  #bytes = 0;
  #turnBytes = 0;

  constructor(firstStep: number) {
    this.#firstStep = firstStep;
  }

  /** Adds an item unless that makes the page too large; the first one always fits. */
  add(item: Item): boolean {
    const bytes = bytesOf(item);
    if (this.items.length > 0 && this.#bytes + bytes > maxPageBytes) return false;
    this.items.push(item);
    this.#bytes += bytes;
    this.#turnBytes += bytes;
    return true;
  }

  /** How many bytes the page still takes. */
  get bytesLeft(): number {
    return maxPageBytes - this.#bytes;
  }

  /** Whether the page needs memory that answers share. */
  get isLarge(): boolean {
    return this.#bytes >= smallAnswerBytes;
  }

  /** How many bytes the next statement may send: few, until memory for a large page is reserved. */
  get bytesAtOnce(): number {
    return this.isLarge ? this.bytesLeft : smallAnswerBytes;
  }

  /** Whether as much was added as one turn may map; the count begins again. */
  isTurnFull(): boolean {
    if (this.#turnBytes < turnBytes) return false;
    this.#turnBytes = 0;
    return true;
  }

  /** How many rows to read next: by the average of those before, about as many as still fit. */
  nextStep(): number {
    if (this.items.length === 0) return this.#firstStep;
    const average = Math.max(1, this.#bytes / this.items.length);
    return Math.max(1, Math.ceil((maxPageBytes - this.#bytes) / average));
  }
}

/** The length of an item as JSON; documents that are text are not parsed for it. */
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
