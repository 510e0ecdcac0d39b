import { type KeyboardEvent, type MouseEvent, type PointerEvent, useState } from 'react';

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

/** Lets people point at one of `steps` equally wide steps of a chart; a click or Enter calls `onOpen` with it. */
export function useChartCursor(steps: number, onOpen?: (step: number) => void): ChartCursor {
  const [at, setAt] = useState<number>();
  const clamp = (step: number) => Math.min(steps - 1, Math.max(0, step));
  const isRightToLeft = (element: Element) => getComputedStyle(element).direction === 'rtl';
  const stepAt = ({ currentTarget, clientX }: MouseEvent<HTMLElement>): number => {
    const { left, right, width } = currentTarget.getBoundingClientRect();
    const fromStart = isRightToLeft(currentTarget) ? right - clientX : clientX - left;
    return clamp(Math.floor((fromStart / width) * steps));
  };
  return {
    at: at === undefined || steps === 0 ? undefined : clamp(at),
    handlers: {
      tabIndex: 0,
      onFocus: () => setAt((before) => before ?? steps - 1),
      onBlur: () => setAt(undefined),
      onPointerLeave: () => setAt(undefined),
      onPointerMove: (event) => setAt(stepAt(event)),
      onClick: (event) => onOpen?.(stepAt(event)),
      onKeyDown: (event) => {
        if (at === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
        const forward = isRightToLeft(event.currentTarget) ? 'ArrowLeft' : 'ArrowRight';
        const back = forward === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
        const to: Readonly<Record<string, number>> = {
          [forward]: at + 1,
          [back]: at - 1,
          Home: 0,
          End: steps - 1,
        };
        if (event.key === 'Enter' && onOpen !== undefined) onOpen(at);
        else if (to[event.key] !== undefined) setAt(clamp(to[event.key] ?? at));
        else return;
        event.preventDefault();
      },
    },
  };
}
