import { type KeyboardEvent, useState } from 'react';
import type { PaletteLine, PalettePress } from './Palette.tsx';

const pageLines = 8;
const steps: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: pageLines,
  PageUp: -pageLines,
};

/**
 * The active line of a palette: moved by the arrow and Page keys, chosen by Enter, reset to the first line by every change of
 * `text`. The element of a line has the id `${listId}-${index}`.
 */
export function usePaletteKeys<Line extends PaletteLine>(
  lines: readonly Line[],
  listId: string,
  text: string,
  onChoose: (line: Line, press: PalettePress) => void,
) {
  const [at, setAt] = useState({ text, index: 0 });
  const active = at.text === text ? Math.min(at.index, Math.max(0, lines.length - 1)) : 0;
  const setActive = (index: number) => setAt({ text, index });
  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const step = steps[event.key];
    if (step !== undefined && lines.length > 0) {
      event.preventDefault();
      setActive(moved(active, step, lines.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose({ isShift: event.shiftKey, isNewTab: event.ctrlKey || event.metaKey });
    }
  }
  function choose(press: PalettePress): void {
    const line = lines[active];
    if (line === undefined) return;
    if (press.isShift || press.isNewTab) onChoose(line, press);
    else document.getElementById(`${listId}-${active}`)?.click();
  }
  return { active, setActive, onKeyDown };
}

// The arrow keys wrap around; the Page keys stop at the ends.
function moved(from: number, step: number, count: number): number {
  if (Math.abs(step) === 1) return (from + step + count) % count;
  return Math.min(count - 1, Math.max(0, from + step));
}
