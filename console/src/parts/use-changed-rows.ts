import { useEffect, useRef, useState } from 'react';

const tintMs = 1200;

/**
 * Tells which rows were added or changed within the last 1.2 s, so that the table tints them once. A row has changed when its
 * `changeKey` has. The rows of the first render, and of the first after a change of `scope`, count as known.
 */
export function useChangedRows<Row>(
  rows: readonly Row[] | undefined,
  keyOf: (row: Row) => string,
  changeKey: (row: Row) => string,
  scope = '',
): (row: Row) => boolean {
  const known = useRef<{ scope: string; changeKeys: Map<string, string> }>(undefined);
  const timers = useRef(new Set<number>());
  const [tinted, setTinted] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (rows === undefined) return;
    const changeKeys = new Map(rows.map((row) => [keyOf(row), changeKey(row)]));
    const before = known.current;
    known.current = { scope, changeKeys };
    if (before === undefined || before.scope !== scope) return;
    const changed = new Set<string>();
    for (const [key, value] of changeKeys) if (before.changeKeys.get(key) !== value) changed.add(key);
    if (changed.size === 0) return;
    setTinted((now) => new Set([...now, ...changed]));
    const timer = window.setTimeout(() => {
      timers.current.delete(timer);
      setTinted((now) => new Set([...now].filter((key) => !changed.has(key))));
    }, tintMs);
    timers.current.add(timer);
    // `keyOf` and `changeKey`: unstable identity, same behaviour.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [rows, scope]);
  useEffect(() => {
    const pending = timers.current;
    return () => pending.forEach((timer) => window.clearTimeout(timer));
  }, []);
  return (row) => tinted.has(keyOf(row));
}
