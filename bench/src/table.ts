/** One line of the result: our figure and that of its anchor, if it has one, measured in the same run. */
export interface Line {
  readonly what: string;
  readonly unit: string;
  readonly ours: number;
  readonly anchor?: number;
  readonly anchorName?: string;
  /** The goal in words. */
  readonly goal: string;
  readonly isMet: boolean | undefined;
}

/** Builds a line whose goal, if any, is a limit of the ratio of our figure to the anchor's. */
export function line(
  row: Omit<Line, 'goal' | 'isMet'> & { readonly anchor: number },
  limit?: { readonly atMost?: number; readonly atLeast?: number },
): Line {
  const ratio = row.ours / row.anchor;
  if (limit?.atMost !== undefined)
    return { ...row, goal: `≤ ${limit.atMost} ×`, isMet: ratio <= limit.atMost };
  if (limit?.atLeast !== undefined)
    return { ...row, goal: `≥ ${limit.atLeast} ×`, isMet: ratio >= limit.atLeast };
  return { ...row, goal: '', isMet: undefined };
}

/** Builds a line whose goal is that our figure is at most the bar. */
export function barLine({ bar, ...row }: Omit<Line, 'goal' | 'isMet'> & { readonly bar: number }): Line {
  return { ...row, goal: `≤ ${figure(bar)} ${row.unit}`.trim(), isMet: row.ours <= bar };
}

/** Builds a line whose goal is that our figure is at least the bar. */
export function leastLine({ bar, ...row }: Omit<Line, 'goal' | 'isMet'> & { readonly bar: number }): Line {
  return { ...row, goal: `≥ ${figure(bar)} ${row.unit}`.trim(), isMet: row.ours >= bar };
}

function figure(value: number): string {
  if (Number.isInteger(value) && value < 1_000) return String(value);
  if (value >= 1_000) return Math.round(value).toLocaleString('en-GB');
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}

function mark(isMet: boolean | undefined): string {
  if (isMet === undefined) return '';
  return isMet ? 'met' : 'not met';
}

/** The result as a Markdown table, without columns that are empty. */
export function table(lines: readonly Line[]): string {
  const rows = lines.map((row) => [
    row.what,
    `${figure(row.ours)} ${row.unit}`,
    row.anchor === undefined ? '' : `${figure(row.anchor)} ${row.unit}`,
    row.anchor === undefined ? '' : (row.ours / row.anchor).toFixed(2),
    row.anchorName ?? '',
    [row.goal, mark(row.isMet)].filter((part) => part !== '').join(' '),
  ]);
  const titles = ['measured', 'Corral', 'anchor', 'ratio', 'what the anchor is', 'goal'];
  const used = titles.map((_, column) => rows.some((cells) => cells[column] !== ''));
  const all = [titles, ...rows].map((cells) => cells.filter((_, column) => used[column]));
  const widths = (all[0] ?? []).map((_, column) =>
    Math.max(...all.map((cells) => cells[column]?.length ?? 0)),
  );
  const print = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = all;
  return [
    print(head),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...body.map(print),
  ].join('\n');
}
