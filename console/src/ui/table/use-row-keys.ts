import { type RefObject, useEffect, useRef, useState } from 'react';
import { isTyping } from '../form/keys.ts';
import { areShortcutsWanted } from '../style/theme.ts';

/** What the keys act on. */
type KeyTarget<Row extends object> = {
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Has the rows as elements with `data-row-index`. */
  container: RefObject<HTMLElement | null>;
  /** Scrolls to a row that is not rendered. */
  scrollTo: (index: number) => void;
  /** Selects a row, or with `isRange` all from the one before. */
  toggle: ((index: number, isRange: boolean) => void) | undefined;
};

type ActiveRow = { readonly index: number; readonly key: string };

/**
 * Moves the focus between rows with j and k, and selects one by x, or with Shift all from the one before. Returns the index of the active
 * row, or -1. The active row stays the same when others come in above it. Only one table of a page has the keys.
 */
export function useRowKeys<Row extends object>(target: KeyTarget<Row>): number {
  const [row, setRow] = useState<ActiveRow>();
  const active = indexOf(row, target);
  const latest = useRef({ active, ...target });
  const isFocusPending = useRef(false);
  useEffect(() => {
    latest.current = { active, ...target };
  });
  useEffect(() => {
    const isMeant = (): boolean => isTableMeant(latest.current.container.current);
    function moveActive(event: KeyboardEvent): void {
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
      const { rows, rowKey, scrollTo } = latest.current;
      const index = Math.min(rows.length - 1, Math.max(0, latest.current.active + step));
      const next = rows[index];
      if (step === 0 || isTyping(event) || !areShortcutsWanted() || next === undefined) return;
      if (!isMeant()) {
        setRow(undefined);
        return;
      }
      event.preventDefault();
      isFocusPending.current = true;
      scrollTo(index);
      setRow({ index, key: rowKey(next) });
    }
    function selectActive(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== 'x' || isTyping(event) || !areShortcutsWanted()) return;
      if (latest.current.active === -1 || !isMeant()) return;
      event.preventDefault();
      latest.current.toggle?.(latest.current.active, event.shiftKey);
    }
    function handleKey(event: KeyboardEvent): void {
      moveActive(event);
      selectActive(event);
    }
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, []);
  const { container } = target;
  // After each render, because a virtual row may only now exist.
  useEffect(() => {
    if (!isFocusPending.current) return;
    const element = container.current?.querySelector<HTMLElement>(`[data-row-index="${active}"]`);
    if (element === null || element === undefined) return;
    isFocusPending.current = false;
    element.focus();
  });
  return active;
}

/** Whether keys are for the table of these rows: the one with the focus, without it the one with the active row, else the first of the page. */
function isTableMeant(rows: HTMLElement | null): boolean {
  const meant =
    document.activeElement?.closest('table:has([data-row-index]), ul:has([data-row-index])') ??
    document.querySelector('[data-row-index][data-active]') ??
    document.querySelector('[data-row-index]');
  return rows !== null && meant !== null && (rows.contains(meant) || meant.contains(rows));
}

/** The current index of the active row; if it is gone, of the row in its place. */
function indexOf<Row extends object>(row: ActiveRow | undefined, { rows, rowKey }: KeyTarget<Row>): number {
  if (row === undefined) return -1;
  const inPlace = rows[row.index];
  if (inPlace !== undefined && rowKey(inPlace) === row.key) return row.index;
  const moved = rows.findIndex((one) => rowKey(one) === row.key);
  return moved === -1 ? Math.min(row.index, rows.length - 1) : moved;
}
