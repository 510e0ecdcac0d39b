import type { Style } from './style.ts';
import { fitted, widthOf } from './text-width.ts';

/** A cell: its text, and how to make it stand out. */
export type Cell = string | { readonly text: string; readonly paint: (text: string) => string };

/** How a table is rendered. */
export interface TableLayout {
  readonly style: Style;
  /** The width of the terminal; Infinity where there is none. */
  readonly columns: number;
}

const gap = '  ';
/** As short as words become to fit, and where nothing would make the lines fit. */
const [minWidth, wrappedWidth] = [8, 24];
const id = /^(?:[a-z_]+_[1-9A-HJ-NP-Za-km-z]{22}|sha256_[0-9a-f]{64})$/;

/** The heading of a column that may be cut: names and texts, but no facts. */
export interface Words {
  readonly words: string;
}

/** Marks the heading of a column that may be cut. */
export const words = (heading: string): Words => ({ words: heading });

/** Aligns rows below their headings, one line each. On a terminal words are cut until the lines fit, the widest first; ids never are. */
export function table(
  columnHeads: readonly (string | Words)[],
  rows: readonly (readonly Cell[])[],
  { style, columns }: TableLayout,
): string {
  const headings = columnHeads.map((head) => (typeof head === 'string' ? head : head.words));
  const all = [headings.map((text) => ({ text, paint: style.dim })), ...rows];
  const natural = headings.map((_, index) => Math.max(...all.map((row) => widthOf(textOf(row[index])))));
  const mayCut = columnHeads.map(
    (head, index) => typeof head !== 'string' && !rows.some((row) => id.test(textOf(row[index]))),
  );
  const widths = fittingWidths(natural, mayCut, columns - gap.length * (headings.length - 1));
  return all.map((row) => line(row, widths)).join('\n');
}

/** The widths with all columns of words that are wider than some limit cut to it, which is as high as the space allows. */
function fittingWidths(
  natural: readonly number[],
  mayCut: readonly boolean[],
  space: number,
): readonly number[] {
  const cutTo = (limit: number): number[] =>
    natural.map((width, index) => (mayCut[index] === true ? Math.min(width, limit) : width));
  for (let limit = Math.max(...natural); limit >= minWidth; limit -= 1) {
    const widths = cutTo(limit);
    if (widths.reduce((sum, width) => sum + width, 0) <= space) return widths;
  }
  return cutTo(wrappedWidth);
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
    const shown = fitted(textOf(cell), width);
    return painted(cell, () => shown) + ' '.repeat(width - widthOf(shown));
  });
  return cells.join(gap).trimEnd();
}

function textOf(cell: Cell | undefined): string {
  return typeof cell === 'object' ? cell.text : (cell ?? '');
}

function painted(cell: Cell, shape: (text: string) => string = (text) => text): string {
  return typeof cell === 'object' ? cell.paint(shape(cell.text)) : shape(cell);
}
