import { type RefObject, useEffect, useRef, useState } from 'react';
import { isTyping } from '../form/keys.ts';
import { areShortcutsWanted } from '../style/theme.ts';

/**
 * Walks the rows with j and k. Returns the index of the row that has the focus, or -1. Rows are the elements with
 * `data-row-index` inside `place`; `scrollTo` brings one that is not drawn into sight.
 */
export function useRowKeys(
  count: number,
  place: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
): number {
  const [active, setActive] = useState(-1);
  const latest = useRef({ active, count, scrollTo });
  const isWaiting = useRef(false);
  useEffect(() => {
    latest.current = { active, count, scrollTo };
  });
  useEffect(() => {
    function walk(event: KeyboardEvent): void {
      const step = event.key === 'j' ? 1 : event.key === 'k' ? -1 : 0;
      if (step === 0 || isTyping(event) || !areShortcutsWanted() || latest.current.count === 0) return;
      event.preventDefault();
      const next = Math.min(latest.current.count - 1, Math.max(0, latest.current.active + step));
      isWaiting.current = true;
      latest.current.scrollTo(next);
      setActive(next);
    }
    document.addEventListener('keydown', walk);
    return () => document.removeEventListener('keydown', walk);
  }, []);
  // After each drawing, because a virtual row may only now be there.
  useEffect(() => {
    if (!isWaiting.current) return;
    const row = place.current?.querySelector<HTMLElement>(`[data-row-index="${active}"]`);
    if (row === null || row === undefined) return;
    isWaiting.current = false;
    row.focus();
  });
  return active;
}
