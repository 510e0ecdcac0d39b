import { useState } from 'react';

/** The rows to show now, the number of new rows that wait, and `show`, which shows them. */
export type BufferedRows<Row> = { shown: readonly Row[]; waiting: number; show: () => void };

/**
 * Buffers rows that are added while `isReading`, so that nothing moves under the pointer; they show when reading ends, or when
 * `show` is called. Removed rows disappear at once.
 */
export function useBufferedRows<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  isReading: boolean,
): BufferedRows<Row> {
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
