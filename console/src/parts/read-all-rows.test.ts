import { expect, test } from 'vitest';
import { maxExportRows, readAllRows } from './read-all-rows.ts';

const signal = new AbortController().signal;
const onRead = () => {};
const keyOf = String;

test('rows are read page by page, and one that moves to another page meanwhile is there once', async () => {
  const pages = [
    { rows: [1, 2], next: 'b' },
    { rows: [3, 1], next: 'c' },
    { rows: [4], next: undefined },
  ];
  const counts: number[] = [];
  const asked: unknown[] = [];
  const read = readAllRows<number, string>((after) => {
    asked.push(after);
    return Promise.resolve(pages[asked.length - 1]!);
  }, keyOf);
  expect(await read({ signal, onRead: (count) => counts.push(count) })).toEqual({
    rows: [2, 3, 1, 4],
    isCut: false,
  });
  expect(asked).toEqual([undefined, 'b', 'c']);
  expect(counts).toEqual([2, 3, 4]);
});

test('a list that is longer than an export is cut, and said to be', async () => {
  const size = 30_000;
  const read = readAllRows<number, number>(
    (from = 0) =>
      Promise.resolve({ rows: Array.from({ length: size }, (_, index) => from + index), next: from + size }),
    keyOf,
  );
  const { rows, isCut } = await read({ signal, onRead });
  expect([rows.length, rows.at(-1), isCut]).toEqual([maxExportRows, maxExportRows - 1, true]);
});

test('no page is read after a cancellation', async () => {
  const abort = new AbortController();
  let pages = 0;
  const read = readAllRows<number, number>(() => {
    pages += 1;
    return Promise.resolve({ rows: [pages], next: pages });
  }, keyOf);
  await expect(read({ signal: abort.signal, onRead: () => abort.abort() })).rejects.toThrow();
  expect(pages).toBe(1);
});
