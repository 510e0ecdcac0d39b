import { type RefObject, useEffect, useRef, useState } from 'react';
import { isTyping } from '../form/keys.ts';
import { areShortcutsWanted } from '../style/theme.ts';

/**
 * Moves the focus between rows with j and k, and selects one by x, or with Shift all from the one before. Returns the index of the active row, or -1. Rows are the elements with
 * `data-row-index` inside `container`; `scrollTo` scrolls to a row that is not rendered.
 */
export function useRowKeys(
  count: number,
  container: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
  toggle?: (index: number, isRange: boolean) => void,
): number {
  const [active, setActive] = useState(-1);
  const latest = useRef({ active, count, scrollTo, toggle });
  const isFocusPending = useRef(false);
  useEffect(() => {
    latest.current = { active, count, scrollTo, toggle };
  });
  useEffect(() => {
    function moveActive(event: KeyboardEvent): void {
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
      if (step === 0 || isTyping(event) || !areShortcutsWanted() || latest.current.count === 0) return;
      event.preventDefault();
      const next = Math.min(latest.current.count - 1, Math.max(0, latest.current.active + step));
      isFocusPending.current = true;
      latest.current.scrollTo(next);
      setActive(next);
    }
    function selectActive(event: KeyboardEvent): void {
      if (event.key.toLowerCase() !== 'x' || isTyping(event) || !areShortcutsWanted()) return;
      if (latest.current.active === -1) return;
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
  // After each render, because a virtual row may only now exist.
  useEffect(() => {
    if (!isFocusPending.current) return;
    const row = container.current?.querySelector<HTMLElement>(`[data-row-index="${active}"]`);
    if (row === null || row === undefined) return;
    isFocusPending.current = false;
    row.focus();
  });
  return active;
}
