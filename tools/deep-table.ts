import type { SuiteOutcome } from './totals.ts';

interface Row {
  readonly what: string;
  readonly file: string;
  readonly deep: number;
}

/** The lines of a table: each figure's size, whether the tests of its file passed, and the seconds of the file. */
export function deepTable(rows: readonly Row[], { tests, fileSeconds }: SuiteOutcome): string[] {
  const width = Math.max(...rows.map(({ what }) => what.length));
  return rows.map(({ what, file, deep }) => {
    const own = tests.filter((test) => test.file.endsWith(file));
    const hasPassed = own.length > 0 && own.every(({ status }) => status === 'passed');
    const seconds = Math.round(fileSeconds?.get(file) ?? 0);
    const count = deep.toLocaleString('en').padStart(9);
    return `${count}  ${what.padEnd(width)}  ${hasPassed ? 'passed' : 'FAILED'}  ${String(seconds).padStart(5)} s  ${file}`;
  });
}
