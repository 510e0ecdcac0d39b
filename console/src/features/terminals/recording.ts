import { recordingMarks } from '@corral/contract';
import type { TerminalSize } from '../../parts/terminal/xterm.ts';

/** Something that a recording has at a time. */
export type Moment =
  | { readonly atSecs: number; readonly kind: 'output'; readonly text: string }
  | { readonly atSecs: number; readonly kind: 'resize'; readonly size: TerminalSize }
  | { readonly atSecs: number; readonly kind: 'gap' | 'broken' };

/** A recording in the format asciicast v2. */
export interface Recording {
  readonly size: TerminalSize;
  readonly moments: readonly Moment[];
  /** How much output there is before each moment, and the modes that hold there are found by it. */
  readonly before: readonly number[];
}

/** Larger than any screen: clients say which size they want, and so large a one fills the memory of the reader. */
const largest = { cols: 1_000, rows: 500 } as const;
const sizeOf = (cols: number, rows: number): TerminalSize => ({
  cols: Math.max(1, Math.min(cols, largest.cols)),
  rows: Math.max(1, Math.min(rows, largest.rows)),
});

/** Reads a recording. A last line that is cut is left out. */
export function readRecording(text: string): Recording {
  const [head = '{}', ...lines] = text.split('\n');
  const { width = 80, height = 24 } = JSON.parse(head) as { width?: number; height?: number };
  const moments = lines.flatMap((line) => momentOf(line) ?? []);
  let sum = 0;
  const before = moments.map((moment) => {
    const start = sum;
    if (moment.kind === 'output') sum += moment.text.length;
    return start;
  });
  return { size: sizeOf(width, height), moments, before };
}

function momentOf(line: string): Moment | undefined {
  if (!line.startsWith('[')) return undefined;
  try {
    const [atSecs, kind, data] = JSON.parse(line) as [number, string, string];
    if (kind === 'o') return { atSecs, kind: 'output', text: data };
    if (kind === 'm') return { atSecs, kind: data === recordingMarks.broken ? 'broken' : 'gap' };
    const [, cols, rows] = /^(\d+)x(\d+)$/u.exec(data) ?? [];
    if (kind !== 'r' || rows === undefined) return undefined;
    return { atSecs, kind: 'resize', size: sizeOf(Number(cols), Number(rows)) };
  } catch {
    return undefined;
  }
}

/** The times of the moments, in seconds; with `maxPauseSecs` no pause is longer. */
export function timesOf({ moments }: Recording, maxPauseSecs = Infinity): number[] {
  let [last, time] = [0, 0];
  return moments.map(({ atSecs }) => {
    time += Math.min(Math.max(atSecs - last, 0), maxPauseSecs);
    last = atSecs;
    return time;
  });
}

/** How much output is drawn for a jump: what came before has left the screen, but for the modes. */
const drawnLength = 400_000;
const escape = '\u001b[?';
const modes = new RegExp(String.raw`\u001b\[\?([\d;]+)([hl])`, 'gu');

/** The moment from which a jump to a moment is drawn, and what sets the modes that hold there. */
export function jumpFrom({ moments, before }: Recording, to: number): { from: number; prelude: string } {
  const wanted = (before[to] ?? 0) - drawnLength;
  if (wanted <= 0) return { from: 0, prelude: '' };
  const from = before.findIndex((length) => length >= wanted);
  const held = new Map<string, string>();
  for (const moment of moments.slice(0, from)) {
    if (moment.kind !== 'output' || !moment.text.includes(escape)) continue;
    for (const [, names = '', value = ''] of moment.text.matchAll(modes))
      for (const name of names.split(';')) held.set(name, value);
  }
  return { from, prelude: [...held].map(([name, value]) => `${escape}${name}${value}`).join('') };
}

/** The size of the screen before a moment. */
export function sizeBefore({ size, moments }: Recording, index: number): TerminalSize {
  const last = moments.slice(0, index).findLast((moment) => moment.kind === 'resize');
  return last?.kind === 'resize' ? last.size : size;
}
