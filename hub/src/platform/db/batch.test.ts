import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../test/fresh-database.ts';
import type { Database } from './connect.ts';
import { batch } from './batch.ts';

let database: FreshDatabase;
beforeAll(async () => void (database = await freshDatabase()));
afterAll(() => database[Symbol.asyncDispose]());

/** Doubles numbers in the database; a zero makes the statement fail. */
function doubler() {
  const sizes: number[] = [];
  const double = batch(async (db: Database, numbers: readonly number[]) => {
    sizes.push(numbers.length);
    const { rows } = await sql<{ doubled: number }>`
      select 2 * n + 0 / n as doubled from unnest(${numbers}::float8[]) with ordinality as asked(n, place) order by place`.execute(
      db,
    );
    return rows.map(({ doubled }) => doubled);
  });
  return { sizes, double: (number: number) => double(database.db, number) };
}

test('questions of one turn are answered by one statement, each with its own answer', async () => {
  const { sizes, double } = doubler();
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(sizes).toEqual([3]);
  expect(await double(4)).toBe(8);
  expect(sizes).toEqual([3, 1]);
});

test('questions during a statement go into the next, up to the batch size', async () => {
  const { sizes, double } = doubler();
  const numbers = Array.from({ length: 150 }, (_, index) => index + 1);
  expect(await Promise.all(numbers.map(double))).toEqual(numbers.map((number) => 2 * number));
  expect(sizes).toEqual([64, 64, 22]);
});

test('when the database is away, all that waits is rejected with the first batch', async () => {
  let batches = 0;
  const ask = batch(async (_: Database, numbers: readonly number[]) => {
    batches += 1;
    if (batches === 1) throw new Error('timeout exceeded when trying to connect');
    return [...numbers];
  });
  const all = Array.from({ length: 200 }, (_, number) => ask(database.db, number));
  const outcomes = await Promise.allSettled(all);
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  expect([batches, await ask(database.db, 7)]).toEqual([1, 7]);
});

test('a failure rejects the questions of its batch only', async () => {
  const { double } = doubler();
  const together = await Promise.allSettled([1, 0].map(double));
  expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await double(5)).toBe(10);
});
