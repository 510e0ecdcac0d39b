import { sql, type Kysely } from 'kysely';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts';
import { waitingLocks } from '../../test/seed.ts';
import { connectDatabase } from './connect.ts';
import type { Tables } from './tables.ts';

let database: FreshDatabase;
let db: Kysely<Tables>;

beforeEach(async () => {
  database = await freshDatabase();
  db = connectDatabase(database.address, { maxConnections: 4, sharedConnections: 1, onIdleError() {} });
  // Until the shared connection is open, each statement has one of its own.
  await vi.waitFor(async () => expect(new Set(await pids(2)).size).toBe(1));
});
afterEach(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

/** Reads which server process it runs in, and doubles the number. */
const read = async (n: number): Promise<{ pid: number; doubled: number } | undefined> => {
  const statement = sql<{
    pid: number;
    doubled: number;
  }>`select pg_backend_pid() as pid, ${n}::int * 2 as doubled`;
  return (await statement.execute(db)).rows[0];
};

async function pids(count: number): Promise<(number | undefined)[]> {
  const rows = await Promise.all(Array.from({ length: count }, (_, n) => read(n)));
  return rows.map((row) => row?.pid);
}

test('reads at the same time share a connection, and each gets its own answer', async () => {
  const rows = await Promise.all(Array.from({ length: 12 }, (_, n) => read(n)));
  expect(rows.map((row) => row?.doubled)).toEqual(rows.map((_, n) => n * 2));
  expect(new Set(rows.map((row) => row?.pid)).size).toBe(1);
});

test('a read that fails fails alone', async () => {
  const divide = (by: number) => sql<{ n: number }>`select 10 / ${by}::int as n`.execute(db);
  const outcomes = await Promise.allSettled([divide(1), divide(0), divide(2), read(3)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
});

test('what changes or locks rows, and what is in a transaction, has a connection of its own', async () => {
  await sql`create table counted (n int)`.execute(db);
  const shared = (await read(0))?.pid;
  const pid = sql<{ pid: number }>`pg_backend_pid() as pid`;
  const n = 1;
  const own = [
    await sql<{ pid: number }>`insert into counted values (${n}) returning ${pid}`.execute(db),
    await sql<{ pid: number }>`select ${pid} from counted where n = ${n} for update`.execute(db),
    await sql<{ pid: number }>`with one as (select ${n}::int as n) select ${pid} from one`.execute(db),
    await db.transaction().execute((tx) => sql<{ pid: number }>`select ${pid}, ${n}::int`.execute(tx)),
  ];
  expect(own.map(({ rows }) => rows.length)).toEqual([1, 1, 1, 1]);
  for (const { rows } of own) expect(rows[0]?.pid).not.toBe(shared);
});

test('reads do not wait behind one that is stuck', async () => {
  await sql`create table locked (n int)`.execute(db);
  let stuck: Promise<unknown> | undefined;
  await database.db.transaction().execute(async (tx) => {
    await sql`lock table locked in access exclusive mode`.execute(tx);
    stuck = sql`select n from locked where n = ${1}`.execute(db);
    await vi.waitFor(async () => expect(await waitingLocks(database.db)).toBe(1));
    const waitsSince = performance.now();
    await vi.waitFor(() => expect(performance.now() - waitsSince).toBeGreaterThan(60));
    expect(await read(4)).toMatchObject({ doubled: 8 });
    expect(await waitingLocks(database.db)).toBe(1);
  });
  await expect(stuck).resolves.toEqual({ rows: [] });
});

test('a read that takes long has a connection of its own the next time', async () => {
  const count = async () => {
    const statement = sql<{ pid: number }>`
      select pg_backend_pid() as pid, count(*) from generate_series(1, ${5_000_000}::int)`;
    return (await statement.execute(db)).rows[0]?.pid;
  };
  const shared = (await read(0))?.pid;
  let laterMs = 0;
  const realNow = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + laterMs);
  onTestFinished(() => clock.mockRestore());
  expect(await count()).toBe(shared);
  expect(await count()).not.toBe(shared);
  expect((await read(0))?.pid).toBe(shared);
  // It may have been slow by chance, so it is tried again soon; the second time it takes a minute.
  laterMs += 1_000;
  expect(await count()).toBe(shared);
  laterMs += 40_000;
  expect(await count()).not.toBe(shared);
  laterMs += 20_000;
  expect(await count()).toBe(shared);
});

test('a shared connection that breaks is replaced, and fails only what waits on it', async () => {
  const shared = (await read(0))?.pid;
  await sql`select pg_terminate_backend(${sql.lit(shared)})`.execute(database.db);
  await vi.waitFor(async () => {
    const now = new Set(await pids(3));
    expect([...now]).toHaveLength(1);
    expect(now).not.toContain(shared);
  });
});

test('closing waits for the answers of reads', async () => {
  const answers = Array.from({ length: 10 }, (_, n) => read(n));
  await Promise.resolve();
  const [rows] = await Promise.all([Promise.all(answers), db.destroy()]);
  expect(rows.map((row) => row?.doubled)).toEqual(answers.map((_, n) => n * 2));
});
