import { useCallback, useEffect, useMemo, useRef, useState } from 'react';

/** The selected rows of a table. The functions keep their identity. */
export interface RowSelection<Row> {
  /** In the order of the table. Rows that a filter hides are not included until they are shown again. */
  readonly rows: readonly Row[];
  readonly isSelected: (row: Row) => boolean;
  /** Selects or deselects a row, or with `isRange` all from the one before up to it. */
  readonly toggle: (index: number, isRange: boolean) => void;
  /** Selects or deselects all rows that are shown. */
  readonly toggleAll: (isSelected: boolean) => void;
  /** Deselects all rows, also those that a filter hides. */
  readonly clear: () => void;
  /** Whether the rows beyond those that are shown are selected too; any other choice ends it. */
  readonly isAllMatching: boolean;
  readonly selectAllMatching: () => void;
}

const none: ReadonlySet<string> = new Set();

/** Keeps which rows of a table are selected, by their keys, or that all of a `scope` are, which is another one with each filter. */
export function useRowSelection<Row extends object>(
  rows: readonly Row[],
  rowKey: (row: Row) => string,
  scope?: string,
): RowSelection<Row> {
  const [allOf, setAllOf] = useState<string>();
  const isAllMatching = scope !== undefined && allOf === scope;
  const [keys, setKeys] = useState(none);
  const latest = useRef({ rows, rowKey });
  const anchor = useRef<string>(undefined);
  useEffect(() => {
    latest.current = { rows, rowKey };
  });
  const toggle = useCallback((index: number, isRange: boolean) => {
    setAllOf(undefined);
    const shown = latest.current.rows.map((row) => latest.current.rowKey(row));
    const key = shown[index];
    if (key === undefined) return;
    const from = isRange && anchor.current !== undefined ? shown.indexOf(anchor.current) : -1;
    const [first, last] = from === -1 ? [index, index] : [Math.min(from, index), Math.max(from, index)];
    anchor.current = key;
    setKeys((before) => withKeys(before, shown.slice(first, last + 1), !before.has(key)));
  }, []);
  const toggleAll = useCallback((isSelected: boolean) => {
    setAllOf(undefined);
    const shown = latest.current.rows.map((row) => latest.current.rowKey(row));
    setKeys((before) => withKeys(before, shown, isSelected));
  }, []);
  const clear = useCallback(() => {
    setAllOf(undefined);
    setKeys(none);
  }, []);
  const selectAllMatching = useCallback(() => setAllOf(scope), [scope]);
  const isSelected = useCallback(
    (row: Row) => isAllMatching || keys.has(rowKey(row)),
    [isAllMatching, keys, rowKey],
  );
  const selected = useMemo(
    () => (keys.size === 0 && !isAllMatching ? [] : rows.filter(isSelected)),
    [isAllMatching, keys, rows, isSelected],
  );
  return { rows: selected, isSelected, toggle, toggleAll, clear, isAllMatching, selectAllMatching };
}

function withKeys(
  before: ReadonlySet<string>,
  changed: readonly string[],
  isSelected: boolean,
): ReadonlySet<string> {
  const after = new Set(before);
  for (const key of changed) {
    if (isSelected) after.add(key);
    else after.delete(key);
  }
  return after;
}
