import { X } from 'lucide-react';
import { cloneElement, type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { Button } from '../action/Button.tsx';
import { tableCopy } from './copy.ts';
import { isTyping } from '../form/keys.ts';
import { areShortcutsWanted } from '../style/theme.ts';
import { announce } from '../text/announce.ts';
import type { RowAction } from './columns.tsx';

/**
 * The actions on the selected rows, above the end of the table and always in sight. The table does not move when it appears. In the order of
 * the Tab key it comes before the table, and `b` moves the focus to it from a row.
 */
export function SelectionBar({
  count,
  total,
  actions,
  onSelectAll,
  allMatching,
  isAllMatching,
  onSelectAllMatching,
  onClear,
  isFlush = false,
}: {
  count: number;
  /** The number of rows that are shown. */
  total: number;
  actions: readonly RowAction[];
  onSelectAll: () => void;
  /** What there is beyond the rows that are shown. */
  allMatching: string | undefined;
  isAllMatching: boolean;
  onSelectAllMatching: () => void;
  onClear: () => void;
  /** Keeps it off the border of the Card that the table fills. */
  isFlush?: boolean | undefined;
}) {
  const bar = useRef<HTMLDivElement>(null);
  useFocusKey(bar);
  useFocusReturn(bar);
  const selected =
    isAllMatching && allMatching !== undefined
      ? tableCopy.allSelected(allMatching)
      : tableCopy.selected(count);
  useEffect(() => announce(selected), [selected]);
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={tableCopy.selectionActions}
      className={`sticky bottom-3 z-10 order-last mx-auto mt-3 flex w-fit max-w-full flex-wrap items-center justify-center gap-2 rounded-card border border-line-strong bg-raised px-3 py-2 shadow-float print:hidden ${isFlush ? 'mb-3' : ''}`}
    >
      <span className="px-1 text-body tabular">{selected}</span>
      {count < total && (
        <Button size="small" variant="quiet" onClick={onSelectAll}>
          {tableCopy.selectAll(total)}
        </Button>
      )}
      {count === total && allMatching !== undefined && !isAllMatching && (
        <Button size="small" variant="quiet" onClick={onSelectAllMatching}>
          {tableCopy.selectAllMatching(allMatching)}
        </Button>
      )}
      {actions.map(({ label, icon, tone, onSelect, disabledReason, isNavigation = false }) => (
        <Button
          key={label}
          size="small"
          variant={tone}
          icon={icon && cloneElement(icon, { size: 14 })}
          isWrite={!isNavigation}
          disabledReason={disabledReason}
          onClick={onSelect}
        >
          {label}
        </Button>
      ))}
      <Button size="small" variant="quiet" icon={<X size={14} aria-hidden />} onClick={onClear}>
        {tableCopy.clearSelection}
      </Button>
    </div>
  );
}

/** Moves the focus to the first button of the bar by the key `b`. */
function useFocusKey(bar: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    function focusFirst(event: KeyboardEvent): void {
      if (event.key !== 'b' || isTyping(event) || !areShortcutsWanted()) return;
      event.preventDefault();
      bar.current?.querySelector('button')?.focus();
    }
    document.addEventListener('keydown', focusFirst);
    return () => document.removeEventListener('keydown', focusFirst);
  }, [bar]);
}

/** Moves the focus from the bar to the table when the bar disappears, so that the keyboard does not start at the top of the page again. */
function useFocusReturn(bar: RefObject<HTMLDivElement | null>): void {
  useLayoutEffect(() => {
    const element = bar.current;
    return () => {
      if (element?.contains(document.activeElement) !== true) return;
      element.parentElement?.querySelector<HTMLElement>('[data-active], [data-row-index] input')?.focus();
    };
  }, [bar]);
}
