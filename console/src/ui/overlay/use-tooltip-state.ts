import { type FocusEvent, type PointerEvent, useEffect, useRef, useState } from 'react';

const openAfterMs = 400;
const closeAfterMs = 120;
/** Moving from one tooltip to the next within this time opens the next without delay. */
const skipDelayMs = 400;

let lastClosedAt = 0;

/**
 * The open state of a tooltip: opens after the pointer rests or at once on keyboard focus, and stays open while the pointer is on it. One that has
 * no content does not open.
 */
export function useTooltipState(hasContent: boolean) {
  const [anchor, setAnchor] = useState<Element | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const timer = useRef<number | undefined>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);

  function schedule(next: boolean, afterMs: number): void {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => set(next), afterMs);
  }
  function set(next: boolean): void {
    window.clearTimeout(timer.current);
    if (!next && isOpen) lastClosedAt = Date.now();
    setIsOpen(next);
  }
  const handlers = {
    onPointerEnter(event: PointerEvent) {
      if (!hasContent || event.pointerType === 'touch') return;
      setAnchor(event.currentTarget);
      schedule(true, Date.now() - lastClosedAt < skipDelayMs ? 0 : openAfterMs);
    },
    onPointerLeave: () => schedule(false, closeAfterMs),
    onFocus(event: FocusEvent) {
      if (!hasContent || !event.currentTarget.matches(':focus-visible')) return;
      setAnchor(event.currentTarget);
      set(true);
    },
    onBlur: () => set(false),
  };
  const popupHandlers = {
    onPointerEnter: () => set(true),
    onPointerLeave: () => schedule(false, closeAfterMs),
  };
  return { anchor, isOpen, handlers, popupHandlers, close: () => set(false) };
}
