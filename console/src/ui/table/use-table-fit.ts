import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';

/** What `useTableFit` returns: the frame whose width counts, the scrolling box of the table, and whether the table fits. */
export interface TableFit {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly isFitting: boolean;
}

/**
 * Measures whether a table fits its frame without scrolling sideways, which would hide its last columns. A table that does not fit is measured
 * again when the frame is as wide as the table was, or when `columns` change. `content` is what the table shows.
 */
export function useTableFit(columns: unknown, content: unknown): TableFit {
  const frame = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [frameWidth, setFrameWidth] = useState(Infinity);
  const [needed, setNeeded] = useState<{ readonly columns: unknown; readonly width: number }>();
  const isFitting = needed === undefined || needed.columns !== columns || needed.width <= frameWidth;
  useEffect(() => {
    if (frame.current === null || typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(([entry]) => setFrameWidth(entry?.contentRect.width ?? Infinity));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (box.current === null) return;
    const { scrollWidth, clientWidth } = box.current;
    if (scrollWidth <= clientWidth) return;
    setFrameWidth(clientWidth);
    setNeeded({ columns, width: scrollWidth });
  }, [columns, content, frameWidth, isFitting]);
  return { frame, box, isFitting };
}
