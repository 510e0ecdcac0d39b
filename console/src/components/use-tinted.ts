import { useEffect, useRef, useState } from 'react';

const tintMs = 1200;

/**
 * Tells which rows have just come or changed, for 1.2 s each, so that they are tinted once. `printOf` is what counts as a
 * change of a row. What is there at first, or after `scope` changes, counts as known.
 */
export function useTinted<Row>(
  rows: readonly Row[] | undefined,
  keyOf: (row: Row) => string,
  printOf: (row: Row) => string,
  scope = '',
): (row: Row) => boolean {
  const known = useRef<{ scope: string; prints: Map<string, string> }>(undefined);
  const [tinted, setTinted] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (rows === undefined) return;
    const prints = new Map(rows.map((row) => [keyOf(row), printOf(row)]));
    const before = known.current;
    known.current = { scope, prints };
    if (before === undefined || before.scope !== scope) return;
    const changed = [...prints]
      .filter(([key, print]) => before.prints.get(key) !== print)
      .map(([key]) => key);
    if (changed.length === 0) return;
    setTinted((now) => new Set([...now, ...changed]));
    window.setTimeout(() => {
      setTinted((now) => new Set([...now].filter((key) => !changed.includes(key))));
    }, tintMs);
    // The two functions are the same at every drawing in all but identity.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [rows, scope]);
  return (row) => tinted.has(keyOf(row));
}
