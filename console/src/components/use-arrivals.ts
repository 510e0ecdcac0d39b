import { useState } from 'react';

/** Rows as they show while somebody reads, and those that wait. */
export type Arrivals<Row> = { shown: readonly Row[]; waiting: number; show: () => void };

/**
 * Holds back rows that come while `isReading`, so that nothing moves under the pointer; they show when reading ends, or when
 * `show` is called. Rows that go, go at once.
 */
export function useArrivals<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  isReading: boolean,
): Arrivals<Row> {
  const [known, setKnown] = useState<ReadonlySet<string>>();
  const all = () => new Set(rows.map(keyOf));
  if (isReading && known === undefined) setKnown(all());
  if (!isReading && known !== undefined) setKnown(undefined);
  const shown = known === undefined ? rows : rows.filter((row) => known.has(keyOf(row)));
  return {
    shown: shown.length === rows.length ? rows : shown,
    waiting: rows.length - shown.length,
    show: () => setKnown(all()),
  };
}
