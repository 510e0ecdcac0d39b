import type { Style } from './style.ts';

/** A cell: its text, and how to make it stand out. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

/** How a table is rendered. */
export interface TableLayout {
  readonly style: Style;
  /** The width of the terminal; Infinity where there is none. */
  readonly columns: number;
}

/** Whether the last column is cut to the width of the terminal: for words, never for ids. */
export type LastColumn = 'whole' | 'cut';

const gap = '  ';
const minWidth = 12;

/** Aligns rows below their headings, one line each. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  { style, columns }: TableLayout,
  lastColumn: LastColumn = 'whole',
): string {
  const all = [headings.map((text) => ({ text, paint: style.dim })), ...rows];
  const widths = headings.map((_, index) => Math.max(...all.map((row) => textOf(row[index]).length)));
  const last = headings.length - 1;
  const before = widths.slice(0, last).reduce((sum, width) => sum + width + gap.length, 0);
  widths[last] = lastColumn === 'whole' ? Infinity : Math.max(minWidth, columns - before);
  return all.map((row) => line(row, widths)).join('\n');
}

/** Aligns the fields of one record, a name and its value per line; a value of several lines continues below. */
export function fieldList(
  entries: readonly (readonly [string, Cell | readonly Cell[]])[],
  style: Style,
): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  const lines = entries.flatMap(([name, value]) => {
    const cells = Array.isArray(value) ? (value as readonly Cell[]) : [value as Cell];
    return cells.map(
      (cell, index) => `${style.dim((index === 0 ? name : '').padEnd(width))}${gap}${painted(cell)}`,
    );
  });
  return lines.join('\n');
}

function line(row: readonly Cell[], widths: readonly number[]): string {
  const cells = row.map((cell, index) => {
    const width = widths[index] ?? 0;
    const isLast = index === row.length - 1;
    return isLast
      ? painted(cell, (text) => cut(text, width))
      : painted(cell) + ' '.repeat(width - textOf(cell).length);
  });
  return cells.join(gap).trimEnd();
}

function textOf(cell: Cell | undefined): string {
  return typeof cell === 'object' ? cell.text : (cell ?? '');
}

function painted(cell: Cell, shape: (text: string) => string = (text) => text): string {
  return typeof cell === 'object' ? cell.paint(shape(cell.text)) : shape(cell);
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
