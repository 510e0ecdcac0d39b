import { sql, type RawBuilder } from 'kysely';
import type { KeyValue } from './cursor.ts';
import { sliceOf, type ListOrder, type Slice, type SortKey } from './list-order.ts';

/** Rows that an order lists together: all with one value of its first key. */
export interface Segment<Row> {
  readonly rank: KeyValue;
  readonly holds: RawBuilder<boolean>;
  /** Some of the further keys of the order: those that tell these rows apart, and have an index. */
  readonly keys: readonly SortKey<Row>[];
}

/** Reads a slice of the rows that hold a condition, in an order of their own. */
type ReadSegment<Row> = (
  list: ListOrder<Row>,
  holds: RawBuilder<boolean>,
  slice: Slice,
) => Promise<readonly Row[]>;

/**
 * A function that reads slices of a list segment by segment: these have indexes for their keys, where the whole list would be sorted. The segments are
 * given by ascending rank.
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
    for (const [index, { rank, holds, keys }] of segments.entries()) {
      if (index < from || rows.length >= limit) continue;
      const part = { ...list, keys };
      const after = index === from && position !== undefined ? partOf(list, keys, position) : undefined;
      const found = await read(part, holds, sliceOf(part, after, limit - rows.length, bytesLeft));
      rows.push(...found.map((row) => ({ ...row, [rankKey?.column ?? '']: rank })));
    }
    return rows;
  };
}

/** The values of some keys at a position of the list. */
function partOf<Row>(
  list: ListOrder<Row>,
  keys: readonly SortKey<Row>[],
  position: readonly KeyValue[],
): KeyValue[] {
  return list.keys.flatMap(({ column }, index) =>
    keys.some((key) => key.column === column) ? position.slice(index, index + 1) : [],
  );
}

/** Two segments: the rows with a value, and after them, in either direction, those without. */
export function emptyLastSegments<Row>(
  isDescending: boolean,
  value: RawBuilder<unknown>,
  keys: { readonly withValue: readonly SortKey<Row>[]; readonly without: readonly SortKey<Row>[] },
): Segment<Row>[] {
  const known = { rank: isDescending, holds: sql<boolean>`${value} is not null`, keys: keys.withValue };
  const empty = { rank: !isDescending, holds: sql<boolean>`${value} is null`, keys: keys.without };
  return isDescending ? [empty, known] : [known, empty];
}
