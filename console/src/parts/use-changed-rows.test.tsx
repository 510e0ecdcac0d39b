import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useChangedRows } from './use-changed-rows.ts';

type Row = { id: string; value: number };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const one: Row = { id: 'one', value: 1 };
const two: Row = { id: 'two', value: 1 };

type Props = { rows: readonly Row[]; scope?: string };

function follow(rows: readonly Row[]) {
  return renderHook(
    (props: Props) =>
      useChangedRows(
        props.rows,
        ({ id }) => id,
        ({ value }) => String(value),
        props.scope,
      ),
    { initialProps: { rows } as Props },
  );
}

test('a new row and a changed row count as changed for 1.2 s, each from its own change', () => {
  const { result, rerender } = follow([one]);
  expect(result.current(one)).toBe(false);
  rerender({ rows: [one, two] });
  expect([one, two].map((row) => result.current(row))).toEqual([false, true]);
  act(() => void vi.advanceTimersByTime(700));
  rerender({ rows: [{ ...one, value: 2 }, two] });
  expect([one, two].map((row) => result.current(row))).toEqual([true, true]);
  act(() => void vi.advanceTimersByTime(700));
  expect([one, two].map((row) => result.current(row))).toEqual([true, false]);
  act(() => void vi.advanceTimersByTime(700));
  expect(result.current(one)).toBe(false);
});

test('all rows count as known after a change of scope', () => {
  const { result, rerender } = follow([one]);
  rerender({ rows: [two], scope: 'next page' });
  expect(result.current(two)).toBe(false);
});

test('no timer outlives the component', () => {
  const { rerender, unmount } = follow([one]);
  rerender({ rows: [one, two] });
  expect(vi.getTimerCount()).toBe(1);
  unmount();
  expect(vi.getTimerCount()).toBe(0);
});
