import { QueryClient, QueryClientProvider, queryOptions } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { useLivePages } from './use-live-pages.ts';

const perPage = 3;

interface Row {
  readonly id: string;
  readonly text: string;
}

/** The rows of a hub, by their position in the list, the pages that were read, and those that cannot be read. */
let list: Map<number, Row>;
let read: (number | undefined)[];
let failing: Set<number | undefined>;
let client: QueryClient;
beforeEach(() => {
  list = new Map(Array.from({ length: 12 }, (_, at) => [at, { id: `row ${at}`, text: 'first' }]));
  read = [];
  failing = new Set();
  client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000, retry: false } } });
});

/** A page begins after a position, as behind a cursor of the hub. */
function pageAfter(after: string | undefined) {
  const from = after === undefined ? undefined : Number(after);
  read.push(from);
  if (failing.has(from)) throw new Error('The store is full.');
  const rest = [...list].toSorted(([one], [other]) => one - other).filter(([at]) => at > (from ?? -100));
  const rows = rest.slice(0, perPage);
  const [last] = rows.at(-1) ?? [];
  return { rows: rows.map(([, row]) => row), ...(rest.length > perPage ? { next: String(last) } : {}) };
}

function render(initial = 'all') {
  return renderHook(
    ({ view }) =>
      useLivePages({
        queryOf: (after) =>
          queryOptions({ queryKey: ['rows', view, after], queryFn: async () => pageAfter(after) }),
        rowsOf: ({ rows }) => rows,
        keyOf: ({ id }: Row) => id,
        isEnabled: true,
      }),
    {
      initialProps: { view: initial },
      wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
    },
  );
}

type Rendered = ReturnType<typeof render>['result'];
const shown = ({ current }: Rendered) => current.rows?.map(({ id, text }) => `${id} ${text}`);
const ids = ({ current }: Rendered) => current.rows?.map(({ id }) => Number(id.split(' ')[1]));
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);

/** Reads four pages of three rows, of which the third is in sight. */
async function fourPages(): Promise<Rendered> {
  const { result } = render();
  for (const rows of [3, 6, 9, 12]) {
    await waitFor(() => expect(ids(result)).toHaveLength(rows));
    if (rows < 12) act(() => result.current.loadMore?.());
  }
  act(() => result.current.onRowsInSight(6, 8));
  expect(ids(result)).toEqual(numbers(12));
  expect(result.current.loadMore).toBeUndefined();
  read = [];
  return result;
}

const change = () => act(() => client.invalidateQueries({ queryKey: ['rows'] }));
const rename = (at: number) => list.set(at, { id: `row ${at}`, text: 'second' });

test('a change refetches the page in sight; the others are refetched when they come into sight', async () => {
  const result = await fourPages();
  for (const at of [1, 7, 10]) rename(at);
  await change();
  await waitFor(() => expect(shown(result)?.[7]).toBe('row 7 second'));
  expect(read).toEqual([5]);
  expect([1, 10].map((at) => shown(result)?.[at])).toEqual(['row 1 first', 'row 10 first']);
  act(() => result.current.onRowsInSight(8, 11));
  await waitFor(() => expect(shown(result)?.[10]).toBe('row 10 second'));
  act(() => result.current.onRowsInSight(0, 2));
  await waitFor(() => expect(shown(result)?.[1]).toBe('row 1 second'));
  expect(read).toEqual([5, 8, undefined]);
});

test('rows that are added and removed in sight move those after them, and none is missing or twice there', async () => {
  const result = await fourPages();
  list.set(6.5, { id: 'row 6.5', text: 'added' });
  list.delete(8);
  list.set(6.6, { id: 'row 6.6', text: 'added' });
  await change();
  await waitFor(() => expect(ids(result)?.slice(6, 9)).toEqual([6, 6.5, 6.6]));
  act(() => result.current.onRowsInSight(6, 11));
  await waitFor(() => expect(ids(result)?.slice(6)).toEqual([6, 6.5, 6.6, 7, 9, 10]));
  expect(result.current.loadMore).toBeDefined();
  act(() => result.current.loadMore?.());
  await waitFor(() => expect(ids(result)?.slice(6)).toEqual([6, 6.5, 6.6, 7, 9, 10, 11]));
});

test.each([
  ['before', 1, [0, 2, 3, 4, 5, 6, 7, 1, 9, 10, 11]],
  ['after', 10, [0, 1, 2, 3, 4, 5, 6, 7, 10, 9, 11]],
])(
  'a row that has moved from a page out of sight, %s it, to the one in sight is there only',
  async (_where, at, expected) => {
    const result = await fourPages();
    list.delete(at);
    list.set(7.5, { id: `row ${at}`, text: 'moved' });
    await change();
    await waitFor(() => expect(shown(result)).toContain(`row ${at} moved`));
    expect(ids(result)).toEqual(expected);
  },
);

test('the pages that were read are all there again when the list shows again, and those in sight are read again', async () => {
  await fourPages();
  cleanup();
  rename(7);
  await change();
  const { result, rerender } = render();
  expect(ids(result), 'at once, so that the page can be scrolled to its place').toEqual(numbers(12));
  expect(result.current).toMatchObject({ isPlaceholder: false, isLoadingMore: false, loadMore: undefined });
  act(() => result.current.onRowsInSight(6, 8));
  await waitFor(() => expect(shown(result)?.[7]).toBe('row 7 second'));
  // Another view begins with its first page, and does not end the memory of this one.
  rerender({ view: 'other' });
  await waitFor(() => expect(ids(result)).toEqual([0, 1, 2]));
  rerender({ view: 'all' });
  expect(ids(result)).toEqual(numbers(12));
});

test('the rows of another view replace those of the view before once they are there', async () => {
  const { result, rerender } = render();
  await waitFor(() => expect(ids(result)).toEqual([0, 1, 2]));
  act(() => result.current.loadMore?.());
  await waitFor(() => expect(ids(result)).toHaveLength(6));
  rename(0);
  rerender({ view: 'other' });
  expect([result.current.isPlaceholder, ids(result)]).toEqual([true, numbers(6)]);
  await waitFor(() => expect(result.current.isPlaceholder).toBe(false));
  expect(shown(result)).toEqual(['row 0 second', 'row 1 first', 'row 2 first']);
});

test('a view that cannot be read has no rows, not even those of the view before, until it is read again', async () => {
  const { result, rerender } = render();
  await waitFor(() => expect(ids(result)).toEqual([0, 1, 2]));
  failing.add(undefined);
  rerender({ view: 'other' });
  await waitFor(() => expect(result.current.error?.message).toBe('The store is full.'));
  expect([result.current.isPlaceholder, ids(result)]).toEqual([false, undefined]);
  failing.clear();
  act(() => result.current.retry());
  expect(ids(result), 'while it is read').toBeUndefined();
  await waitFor(() => expect(ids(result)).toEqual([0, 1, 2]));
});

test('a page that has failed is read again with the next one', async () => {
  const { result } = render();
  await waitFor(() => expect(ids(result)).toEqual([0, 1, 2]));
  failing.add(2);
  act(() => result.current.loadMore?.());
  await waitFor(() => expect(result.current.error).not.toBeNull());
  expect([result.current.isLoadingMore, ids(result)]).toEqual([false, [0, 1, 2]]);
  failing.clear();
  act(() => result.current.loadMore?.());
  await waitFor(() => expect(ids(result)).toEqual(numbers(6)));
  expect(result.current.error).toBeNull();
});

test('rows that cannot be read again stay, and the next page is read all the same', async () => {
  const { result } = render();
  await waitFor(() => expect(ids(result)).toEqual([0, 1, 2]));
  failing.add(undefined);
  await change();
  await waitFor(() => expect(result.current.error).not.toBeNull());
  expect(ids(result)).toEqual([0, 1, 2]);
  failing.clear();
  act(() => result.current.loadMore?.());
  await waitFor(() => expect(ids(result)).toEqual(numbers(6)));
  await waitFor(() => expect(result.current.error).toBeNull());
});
