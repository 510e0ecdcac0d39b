import { parseExactJson } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../connect.ts';
import type { Slice } from './list-order.ts';
import type { CutRows } from './read-page.ts';

/** Longer documents with a long number are serialized again by JavaScript, because PostgreSQL writes 5e-324 with all digits. */
const maxTextChars = 524_288;
/** A number of so many digits is long: JavaScript writes integers of fewer in full. */
const longNumberDigits = 22;

/** The rows of a slice whose size is dominated by JSON documents. */
interface DocumentRows {
  /** SQL that selects the rows, with `slice.orderAndLimit`. */
  readonly rows: RawBuilder<unknown>;
  /** The columns with documents, which are read as text. */
  readonly documents: readonly string[];
  /** The other columns. */
  readonly columns: readonly string[];
}

/**
 * Reads a slice up to the first row whose documents exceed the page. The database measures the documents and returns only those rows, so that the hub never holds
 * the documents of a whole slice, which may have hundreds of megabytes.
 */
export async function readWithinBytes<Row extends object>(
  tx: Database,
  slice: Slice,
  { rows, documents, columns }: DocumentRows,
): Promise<CutRows<Row>> {
  const bytes = sql.join(
    documents.map((name) => sql`octet_length(s.${sql.ref(name)}::text)`),
    sql` + `,
  );
  const selected = [
    ...columns.map((name) => sql.ref(name)),
    ...documents.map((name) => sql`${sql.ref(name)}::text as ${sql.ref(name)}`),
  ];
  const { rows: found } = await sql<Row & { found: number }>`
    select ${sql.join(selected)}, found from (
      select s.*, count(*) over ()::int as found, sum(z.bytes) over (${slice.order} rows unbounded preceding) - z.bytes as before
      from (${rows}) as s cross join lateral (select ${bytes} as bytes offset 0) as z
    ) as measured where before < ${slice.bytesLeft} ${slice.order}`.execute(tx);
  return { rows: found, isCut: found.length < (found[0]?.found ?? 0) };
}

/** A document as text for an answer; serialized again if PostgreSQL's text is much longer than JSON. */
export function compactText(text: string): string {
  return text.length > maxTextChars && hasLongNumber(text) ? JSON.stringify(parseExactJson(text)) : text;
}

/** Whether a text has a long number. Looks at every 22nd character first: if it is no digit, the 21 before it are skipped. A regular expression reads all and takes ten times as long. */
function hasLongNumber(text: string): boolean {
  let start = 0;
  while (start + longNumberDigits <= text.length) {
    let at = start + longNumberDigits - 1;
    while (at >= start && isDigit(text.charCodeAt(at))) at -= 1;
    if (at < start) return true;
    start = at + 1;
  }
  return false;
}

function isDigit(charCode: number): boolean {
  return charCode >= 0x30 && charCode <= 0x39;
}
