/** A page with the time that it was read at, in milliseconds since the epoch. */
export interface ReadPage<Answer> {
  readonly answer: Answer;
  readonly readAtMs: number;
}

/** The rows of all pages, and after how many rows each page ends. */
interface MergedPages<Row> {
  readonly rows: readonly Row[];
  readonly ends: readonly number[];
}

/** Joins pages that were read at different times: a row that has moved from one to another meanwhile is where it was read last. */
export function mergePages<Answer, Row>(
  pages: readonly ReadPage<Answer>[],
  rowsOf: (answer: Answer) => readonly Row[],
  keyOf: (row: Row) => string,
): MergedPages<Row> {
  const placeOf = new Map<string, number>();
  const byAge = [...pages.entries()].toSorted(([, one], [, other]) => one.readAtMs - other.readAtMs);
  for (const [index, { answer }] of byAge) for (const row of rowsOf(answer)) placeOf.set(keyOf(row), index);
  const rows: Row[] = [];
  const ends = pages.map(({ answer }, index) => {
    rows.push(...rowsOf(answer).filter((row) => placeOf.get(keyOf(row)) === index));
    return rows.length;
  });
  return { rows, ends };
}

/** The first and the last page that have rows between two indexes. */
export function pagesOfRows(
  ends: readonly number[],
  firstRow: number,
  lastRow: number,
): { first: number; last: number } {
  const pageOf = (row: number) => {
    const page = ends.findIndex((end) => row < end);
    return page === -1 ? Math.max(0, ends.length - 1) : page;
  };
  return { first: pageOf(firstRow), last: pageOf(lastRow) };
}
