import { type RefObject, useEffect, useRef, useState } from 'react';
import { isTyping } from '../form/keys.ts';
import { areShortcutsWanted } from '../style/theme.ts';

/**
 * Moves the focus between rows with j and k. Returns the index of the active row, or -1. Rows are the elements with
 * `data-row-index` inside `container`; `scrollTo` scrolls to a row that is not rendered.
 */
export function useRowKeys(
  count: number,
  container: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
): number {
  const [active, setActive] = useState(-1);
  const latest = useRef({ active, count, scrollTo });
  const isFocusPending = useRef(false);
  useEffect(() => {
    latest.current = { active, count, scrollTo };
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
    document.addEventListener('keydown', moveActive);
    return () => document.removeEventListener('keydown', moveActive);
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
