import { sql, type RawBuilder } from 'kysely';
import type { KeyValue } from './cursor.ts';
import { sliceOf, type ListOrder, type Slice, type SortKey } from './list-order.ts';

/** The rows of a list with one value of its first sort key. */
export interface Segment<Row> {
  /** The value of the first sort key. */
  readonly rank: KeyValue;
  readonly condition: RawBuilder<boolean>;
  /** The sort keys that differ within the segment; they have an index. */
  readonly keys: readonly SortKey<Row>[];
}

/** Reads a slice of the rows of one segment in the given order. */
type ReadSegment<Row> = (
  list: ListOrder<Row>,
  condition: RawBuilder<boolean>,
  slice: Slice,
) => Promise<readonly Row[]>;

/**
 * Creates a function that reads slices of a list segment by segment, each by an index; one statement would have to sort the whole list. The
 * segments are in the order of their ranks.
 */
export function segmentReader<Row>(
  list: ListOrder<Row>,
  ascending: readonly Segment<Row>[],
  read: ReadSegment<Row>,
): (slice: Slice) => Promise<Row[]> {
  const segments = list.direction === 'asc' ? ascending : ascending.toReversed();
  const [rankKey] = list.keys;
  return async ({ limit, bytesLeft, position }) => {
    const rows: Row[] = [];
    const from = position === undefined ? 0 : segments.findIndex(({ rank }) => rank === position[0]);
    for (const [index, { rank, condition, keys }] of segments.entries()) {
      if (index < from || rows.length >= limit) continue;
      const part = { ...list, keys };
      const after = index === from && position !== undefined ? valuesOf(list, keys, position) : undefined;
      const found = await read(part, condition, sliceOf(part, after, limit - rows.length, bytesLeft));
      rows.push(...found.map((row) => ({ ...row, [rankKey?.column ?? '']: rank })));
    }
    return rows;
  };
}

/** The values of some keys at a position of the list. */
function valuesOf<Row>(
  list: ListOrder<Row>,
  keys: readonly SortKey<Row>[],
  position: readonly KeyValue[],
): KeyValue[] {
  return list.keys.flatMap(({ column }, index) =>
    keys.some((key) => key.column === column) ? position.slice(index, index + 1) : [],
  );
}

/** Two segments, so that in both directions the rows without a value follow those with one. */
export function nullsLastSegments<Row>(
  isDescending: boolean,
  value: RawBuilder<unknown>,
  keys: { readonly withValue: readonly SortKey<Row>[]; readonly without: readonly SortKey<Row>[] },
): Segment<Row>[] {
  const present = { rank: isDescending, condition: sql<boolean>`${value} is not null`, keys: keys.withValue };
  const absent = { rank: !isDescending, condition: sql<boolean>`${value} is null`, keys: keys.without };
  return isDescending ? [absent, present] : [present, absent];
}
