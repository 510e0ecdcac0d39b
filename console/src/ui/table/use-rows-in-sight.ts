import { useEffect } from 'react';

/** Tells which of the rows are rendered, by the first and the last index, whenever these or the rows change. */
export function useRowsInSight(
  indexes: readonly number[],
  rows: readonly unknown[],
  onRowsInSight: ((first: number, last: number) => void) | undefined,
): void {
  const [first = 0] = indexes;
  const last = indexes.at(-1) ?? first;
  useEffect(() => onRowsInSight?.(first, last), [first, last, rows, onRowsInSight]);
}
