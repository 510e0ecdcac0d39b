import { useMemo, useState } from 'react';

/** The rows to show now, the number of new rows that wait, and `show`, which shows them. */
export type BufferedRows<Row> = { shown: readonly Row[]; waiting: number; show: () => void };

interface Known {
  readonly scope: string;
  readonly keys: ReadonlySet<string>;
}

/**
 * Buffers rows that are added while `isReading`, so that nothing moves under the pointer, until reading ends, `show` is called or `scope`
 * changes. With `isInOrder` rows at the end show at once, since they move nothing.
 */
export function useBufferedRows<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  { isReading, scope, isInOrder }: { isReading: boolean; scope: string; isInOrder: boolean },
): BufferedRows<Row> {
  const [known, setKnown] = useState<Known>();
  const all = () => ({ scope, keys: new Set(rows.map(keyOf)) });
  if (isReading && known?.scope !== scope) setKnown(all());
  if (!isReading && known !== undefined) setKnown(undefined);
  const keys = isReading && known?.scope === scope ? known.keys : undefined;
  const end = keys && isInOrder ? rows.findLastIndex((row) => keys.has(keyOf(row))) + 1 : rows.length;
  if (keys && end < rows.length) setKnown({ scope, keys: new Set([...keys, ...rows.slice(end).map(keyOf)]) });
  // `keyOf`: unstable identity, same behaviour.
  // oxlint-disable-next-line react/exhaustive-deps
  const shown = useMemo(() => rows.filter((row) => keys?.has(keyOf(row)) !== false), [rows, keys]);
  const waiting = rows.length - shown.length;
  return { shown: waiting === 0 ? rows : shown, waiting, show: () => setKnown(all()) };
}
