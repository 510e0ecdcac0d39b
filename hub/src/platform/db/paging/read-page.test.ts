import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mostPerTurn } from '../../../../test/count-per-turn.ts';
import { listOrder, sortKey, type Slice } from './list-order.ts';
import { readPage, type PageRequest } from './read-page.ts';

interface Row {
  readonly id: number;
  readonly body: string;
}

const list = listOrder<Row>('rows', 'asc', [sortKey('id', 'bigint')], { defaultRows: 200, maxRows: 500 });
const mebibyte = 1024 * 1024;

/** A list in memory that records how many rows each read returned. */
function rowsOf(sizes: readonly number[]) {
  const rows = sizes.map((size, id): Row => ({ id, body: 'x'.repeat(size) }));
  const readCounts: number[] = [];
  const read = async ({ position, limit }: Slice) => {
    const after = position === undefined ? -1 : Number(position[0]);
    const found = rows.filter(({ id }) => id > after).slice(0, limit);
    readCounts.push(found.length);
    return found;
  };
  const page = (request: PageRequest) => readPage(list, request, { read, toItem: (row) => row });
  return { rows, readCounts, page };
}

async function walk({ page }: ReturnType<typeof rowsOf>, limit?: number): Promise<Row[][]> {
  const pages: Row[][] = [];
  for (let after: string | undefined; ;) {
    const { items, more } = await page({ limit, after });
    pages.push(items);
    after = more.next;
    if (after === undefined) return pages;
  }
}

test('pages of any limit contain each row once, in order', () =>
  fc.assert(
    fc.asyncProperty(fc.nat(700), fc.integer({ min: 1, max: 800 }), async (count, limit) => {
      const stored = rowsOf(Array.from({ length: count }, () => 1));
      const pages = await walk(stored, limit);
      expect(pages.flat()).toEqual(stored.rows);
      const full = Math.min(limit, 500);
      expect(pages.slice(0, -1).every(({ length }) => length === full)).toBe(true);
    }),
    { numRuns: 50 },
  ));

test('without a limit a page has the default number of rows, and the last one has no next', async () => {
  expect((await walk(rowsOf(Array.from({ length: 401 }, () => 1)))).map(({ length }) => length)).toEqual([
    200, 200, 1,
  ]);
  expect((await rowsOf(Array.from({ length: 200 }, () => 1)).page({})).more).toEqual({});
  expect(await rowsOf([]).page({})).toEqual({ items: [], more: {} });
});

test('a limit of 0 returns no rows', async () => {
  expect(await rowsOf([1, 1]).page({ limit: 0 })).toEqual({ items: [], more: {} });
});

test('a page ends before it exceeds 6 MiB, and a larger row is a page by itself', async () => {
  const stored = rowsOf([2, 2, 2, 7, 1, 5, 3].map((size) => size * mebibyte));
  const pages = await walk(stored);
  expect(pages.map((rows) => rows.map(({ id }) => id))).toEqual([[0, 1], [2], [3], [4], [5], [6]]);
});

test('a batch has no more rows than fit on a page', async () => {
  const stored = rowsOf(Array.from({ length: 500 }, () => 60_000));
  const pages = await walk(stored, 500);
  expect(pages.flat()).toHaveLength(500);
  expect(Math.max(...stored.readCounts)).toBeLessThanOrEqual(101);
});

test('one turn of the event loop maps only a part of a page', async () => {
  const rows = Array.from({ length: 500 }, (_, id): Row => ({ id, body: 'x'.repeat(1000) }));
  const most = await mostPerTurn((count) =>
    readPage(
      list,
      {},
      {
        read: async ({ limit }) => rows.slice(0, limit),
        toItem: (row) => (count(), row),
      },
    ),
  );
  expect(most).toBeLessThanOrEqual(131_072 / 1000);
});

test('a list with large rows reads smaller batches', async () => {
  const wide = { ...list, maxBatchRows: 10 };
  const limits: number[] = [];
  const read = async ({ limit, position }: Slice) => {
    limits.push(limit);
    const first = position === undefined ? 0 : Number(position[0]) + 1;
    return Array.from({ length: limit }, (_, index): Row => ({ id: first + index, body: '' }));
  };
  const { items } = await readPage(wide, { limit: 45 }, { read, toItem: (row) => row });
  expect(items).toHaveLength(45);
  expect(limits).toEqual([11, 11, 11, 11, 6]);
});
