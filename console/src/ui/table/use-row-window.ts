import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useState } from 'react';
import { usePrinting } from './use-printing.ts';

const virtualFrom = 200;
const overscan = 5;

/** Whether a list of `count` rows is virtualised. */
export function isLong(count: number): boolean {
  return count > virtualFrom;
}

/** The rendered part of a list, with the heights in pixels of the rows before and after it. */
export type RowWindow = {
  isVirtual: boolean;
  indexes: readonly number[];
  before: number;
  after: number;
  scrollTo: (index: number) => void;
  measure: ((element: Element | null) => void) | undefined;
};

/**
 * Selects the rows to render: all, so that the browser's search and print work, but of a list that `isLong` only those near the viewport,
 * also while few match a filter. Of rows of `isUniform` height only the first is measured.
 */
export function useRowWindow(
  count: number,
  container: RefObject<HTMLElement | null>,
  estimate: number,
  { isUniform = false, isLong: isVirtualOnScreen }: { isUniform?: boolean; isLong: boolean },
): RowWindow {
  // Paper does not scroll: all rows are rendered.
  const isPrinting = usePrinting();
  const isVirtual = isVirtualOnScreen && !isPrinting;
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    const top = container.current?.getBoundingClientRect().top ?? 0;
    setScrollMargin(Math.round(top + window.scrollY));
  }, [container, isVirtual]);
  const height = useFirstRowHeight(container, isUniform && isVirtual) ?? estimate;
  const virtualizer = useWindowVirtualizer({
    count: isVirtual ? count : 0,
    enabled: isVirtual,
    estimateSize: () => height,
    overscan,
    // Rows have no height before layout; a height of 0 would render every row.
    measureElement: (element) => (element instanceof HTMLElement && element.offsetHeight) || estimate,
    scrollMargin,
    scrollPaddingStart: 120,
    scrollPaddingEnd: 24,
  });
  // The virtualizer caches sizes; a new height must invalidate them.
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
    measure: isUniform ? undefined : virtualizer.measureElement,
  };
}

// Observes the row density, because it changes the height.
function useFirstRowHeight(container: RefObject<HTMLElement | null>, isEnabled: boolean): number | undefined {
  const [height, setHeight] = useState<number>();
  useLayoutEffect(() => {
    if (!isEnabled) return;
    const read = () => {
      const row = container.current?.querySelector<HTMLElement>('[data-row-index]');
      const exact = row?.getBoundingClientRect().height ?? 0;
      if (exact > 0) setHeight(exact);
    };
    read();
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributeFilter: ['data-density'] });
    return () => observer.disconnect();
  }, [container, isEnabled]);
  return height;
}
