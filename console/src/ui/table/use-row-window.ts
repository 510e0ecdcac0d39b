import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useState } from 'react';
import { usePrinting } from './use-printing.ts';

const virtualFrom = 200;
const overscan = 5;

/** Whether a list of so many rows is drawn in part only. */
export function isLong(count: number): boolean {
  return count > virtualFrom;
}

/** The part of a long list that is drawn, with the height in pixels that stands for what is left out before and after it. */
export type RowWindow = {
  isVirtual: boolean;
  indexes: readonly number[];
  before: number;
  after: number;
  scrollTo: (index: number) => void;
  measure: ((element: Element | null) => void) | undefined;
};

/**
 * Draws all rows, so that the browser's own search and print work, but of a list that `isLong` only those near the window. A long
 * list stays one while few of its rows match a filter: typing would else draw up to 200 rows at a stroke.
 * Rows that `areAlike` in height are not measured one by one, which would lay the page out anew for each: the first one tells.
 */
export function useRowWindow(
  count: number,
  place: RefObject<HTMLElement | null>,
  estimate: number,
  { areAlike = false, isLong: isVirtualOnScreen }: { areAlike?: boolean; isLong: boolean },
): RowWindow {
  // On paper there is no scrolling: all rows are drawn.
  const isPrinting = usePrinting();
  const isVirtual = isVirtualOnScreen && !isPrinting;
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const top = place.current?.getBoundingClientRect().top ?? 0;
    setScrollMargin(Math.round(top + window.scrollY));
  }, [place, isVirtual]);
  const height = useHeightOfFirst(place, areAlike && isVirtual) ?? estimate;
  const virtualizer = useWindowVirtualizer({
    count: isVirtual ? count : 0,
    enabled: isVirtual,
    estimateSize: () => height,
    overscan,
    // A list that is not laid out has no height; taken at its word, every row would have to be drawn.
    measureElement: (element) => (element instanceof HTMLElement && element.offsetHeight) || estimate,
    scrollMargin,
    scrollPaddingStart: 120,
    scrollPaddingEnd: 24,
  });
  // Sizes are remembered, so a new height has to be told.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, height]);
  if (!isVirtual) {
    return {
      isVirtual,
      indexes: Array.from({ length: count }, (_, index) => index),
      before: 0,
      after: 0,
      scrollTo: () => undefined,
      measure: undefined,
    };
  }
  const items = virtualizer.getVirtualItems();
  return {
    isVirtual,
    indexes: items.map((item) => item.index),
    before: Math.max(0, (items[0]?.start ?? scrollMargin) - scrollMargin),
    after: Math.max(0, virtualizer.getTotalSize() - ((items.at(-1)?.end ?? scrollMargin) - scrollMargin)),
    scrollTo: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
    measure: areAlike ? undefined : virtualizer.measureElement,
  };
}

// Followed, because the density of rows may change.
function useHeightOfFirst(place: RefObject<HTMLElement | null>, isWanted: boolean): number | undefined {
  const [height, setHeight] = useState<number>();
  useLayoutEffect(() => {
    if (!isWanted) return;
    const read = () => {
      const row = place.current?.querySelector<HTMLElement>('[data-row-index]');
      const exact = row?.getBoundingClientRect().height ?? 0;
      if (exact > 0) setHeight(exact);
    };
    read();
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributeFilter: ['data-density'] });
    return () => observer.disconnect();
  }, [place, isWanted]);
  return height;
}
