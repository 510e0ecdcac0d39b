import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../db/connect.ts';
import type { Slice } from './list-order.ts';
import type { CutRows } from './read-page.ts';

/** A longer document with a long number is serialized again by JavaScript: PostgreSQL writes a number such as 5e-324 with all its digits. */
const maxTextChars = 524_288;
/** JavaScript writes integers of up to 21 digits in full. The lookbehind keeps the search linear: without it, 4 MiB of shorter numbers hold the event loop for 100 ms. */
const longNumber = /(?<!\d)\d{22}/;

/** The rows of a slice, and which of their columns are documents. */
interface Documents {
  /** The rows of the slice, with `slice.orderAndLimit`. */
  readonly rows: RawBuilder<unknown>;
  /** The columns with documents; they are read as text. */
  readonly documents: readonly string[];
  /** The other columns. */
  readonly columns: readonly string[];
}

/**
 * Reads a slice up to the row whose documents exceed what still fits on the page. The database measures the documents as the texts that it sends, so that neither
 * it nor the hub ever holds those of all rows, which may have hundreds of megabytes.
 */
export async function readWithinBytes<Row extends object>(
  tx: Database,
  slice: Slice,
  { rows, documents, columns }: Documents,
): Promise<CutRows<Row>> {
  const bytes = sql.join(
    documents.map((name) => sql`octet_length(s.${sql.ref(name)}::text)`),
    sql` + `,
  );
  const shown = [
    ...columns.map((name) => sql.ref(name)),
    ...documents.map((name) => sql`${sql.ref(name)}::text as ${sql.ref(name)}`),
  ];
  const { rows: found } = await sql<Row & { found: number }>`
    select ${sql.join(shown)}, found from (
      select s.*, count(*) over ()::int as found, sum(z.bytes) over (${slice.order} rows unbounded preceding) - z.bytes as before
      from (${rows}) as s cross join lateral (select ${bytes} as bytes offset 0) as z
    ) as measured where before < ${slice.bytesLeft} ${slice.order}`.execute(tx);
  return { rows: found, isCut: found.length < (found[0]?.found ?? 0) };
}

/** A document as the text of an answer. */
export function compactText(text: string): string {
  return text.length > maxTextChars && longNumber.test(text) ? JSON.stringify(JSON.parse(text)) : text;
}
