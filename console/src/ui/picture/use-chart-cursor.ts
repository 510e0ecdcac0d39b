import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from 'react';

/** The step of a chart that is pointed at, and what makes its element one stop of the Tab key with arrow keys inside. */
export interface ChartCursor {
  readonly at: number | undefined;
  readonly handlers: {
    readonly tabIndex: 0;
    onFocus(): void;
    onBlur(): void;
    onPointerMove(event: PointerEvent<HTMLElement>): void;
    onPointerLeave(): void;
    onClick(event: MouseEvent<HTMLElement>): void;
    onKeyDown(event: KeyboardEvent<HTMLElement>): void;
  };
}

/** Cells in columns of `rows`, numbered down each column; the cells before `first` are empty. `rowAt` is the row at a share of the height. */
interface CellGrid {
  readonly first: number;
  readonly rows: number;
  rowAt(share: number): number;
}

/**
 * Lets people point at one of `steps` equally wide steps of a chart, or at a cell of a `grid` of so many; a click or Enter calls `onOpen` with it,
 * and so does the second tap of a finger, the first of which points.
 */
export function useChartCursor(
  steps: number,
  onOpen?: (step: number) => void,
  grid: CellGrid = oneRow,
): ChartCursor {
  const [at, setAt] = useState<number>();
  const tapped = useRef<number>(undefined);
  const { first, rows, rowAt } = grid;
  const clamp = (step: number) => Math.min(steps - 1, Math.max(first, step));
  const stepAt = ({ currentTarget, clientX, clientY }: MouseEvent<HTMLElement>): number => {
    const { left, right, top, width, height } = currentTarget.getBoundingClientRect();
    const fromStart = isRightToLeft(currentTarget) ? right - clientX : clientX - left;
    const column = Math.floor((fromStart / width) * Math.ceil(steps / rows));
    return clamp(column * rows + rowAt((clientY - top) / height));
  };
  return {
    at: at === undefined || steps === 0 ? undefined : clamp(at),
    handlers: {
      tabIndex: 0,
      onFocus: () => setAt((before) => before ?? steps - 1),
      onBlur: () => {
        tapped.current = undefined;
        setAt(undefined);
      },
      onPointerLeave: () => setAt(undefined),
      onPointerMove: (event) => setAt(stepAt(event)),
      onClick: (event) => {
        const step = stepAt(event);
        const isFirstTap =
          (event.nativeEvent as PointerEvent['nativeEvent']).pointerType === 'touch' &&
          tapped.current !== step;
        tapped.current = step;
        if (isFirstTap) setAt(step);
        else onOpen?.(step);
      },
      onKeyDown: (event) => {
        if (at === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
        const to = stepByKey(event.key, isRightToLeft(event.currentTarget), rows);
        if (event.key === 'Enter' && onOpen !== undefined) onOpen(at);
        else if (to !== undefined) setAt(clamp(at + to));
        else return;
        event.preventDefault();
      },
    },
  };
}

const isRightToLeft = (element: Element): boolean => getComputedStyle(element).direction === 'rtl';

const oneRow: CellGrid = { first: 0, rows: 1, rowAt: () => 0 };

/** How far a key moves the cursor. */
function stepByKey(key: string, isRightToLeft: boolean, rows: number): number | undefined {
  const forward = isRightToLeft ? -rows : rows;
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: forward,
    ArrowLeft: -forward,
    ...(rows > 1 && { ArrowDown: 1, ArrowUp: -1 }),
    Home: Number.NEGATIVE_INFINITY,
    End: Number.POSITIVE_INFINITY,
  };
  return steps[key];
}
