import { type Ref, useCallback, useEffect, useLayoutEffect, useState } from 'react';

/** What the widths of the columns follow from: those of a long list are fixed, and need another width than the content of a short one. */
interface TableLayout {
  readonly columns: unknown;
  readonly isLong: boolean;
}

/** How rows are shown: as a table, as one that is closer set and has only the columns that it cannot do without, or as cards. */
const fits = ['table', 'tight table', 'cards'] as const;

/** What `useTableFit` returns: refs for the frame whose width counts and for the scrolling box of the table, and what fits the frame. */
export interface TableFit {
  readonly frame: Ref<HTMLDivElement>;
  readonly box: Ref<HTMLDivElement>;
  readonly fit: (typeof fits)[number];
}

const none: readonly number[] = [];

/**
 * Measures whether a table fits its frame without scrolling sideways, which would hide its last columns, or else a tight one. What does not fit
 * is measured again when the frame is as wide as it was, or when its layout changes; what fits, when it grows. `content` is what the table shows.
 */
export function useTableFit({ columns, isLong }: TableLayout, content: unknown): TableFit {
  // As state, because either may come later than the component: an empty list has no frame, and cards have no box.
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const [frameWidth, setFrameWidth] = useState(Infinity);
  const [needed, setNeeded] = useState<TableLayout & { readonly widths: readonly number[] }>();
  const isSameLayout = needed?.columns === columns && needed?.isLong === isLong;
  const tooWide = (isSameLayout ? needed?.widths : undefined) ?? none;
  const level = tooWide.findIndex((width) => width <= frameWidth);
  const fit = fits[level < 0 ? tooWide.length : level] ?? 'cards';
  useEffect(
    () => observeSize(frame, (entry) => setFrameWidth(entry?.contentRect.width ?? Infinity)),
    [frame],
  );
  const measure = useCallback(() => {
    if (box === null) return;
    const { scrollWidth, clientWidth } = box;
    if (scrollWidth <= clientWidth) return;
    // oxlint-disable-next-line react/set-state-in-effect
    setFrameWidth(clientWidth);
    const index = fits.indexOf(fit);
    setNeeded({ columns, isLong, widths: [...tooWide.slice(0, index), scrollWidth] });
  }, [box, columns, isLong, fit, tooWide]);
  // Only the layout tells what does not fit; a layout effect replaces it before it is painted.
  useLayoutEffect(measure, [measure, content, frameWidth]);
  // Cells such as relative times change without a render of the table.
  useEffect(() => observeSize(box?.firstElementChild, measure), [box, measure]);
  return { frame: setFrame, box: setBox, fit };
}

function observeSize(
  element: Element | null | undefined,
  onChange: (entry: ResizeObserverEntry | undefined) => void,
): (() => void) | undefined {
  if (!element || typeof ResizeObserver === 'undefined') return undefined;
  const observer = new ResizeObserver(([entry]) => onChange(entry));
  observer.observe(element);
  return () => observer.disconnect();
}
