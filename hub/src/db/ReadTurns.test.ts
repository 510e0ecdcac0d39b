import { sql, type Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts';
import { waitingLocks } from '../../test/seed.ts';
import type { CallerKeys } from '../limits/caller.ts';
import { responseMemory } from '../concurrency/response-memory.ts';
import { batch } from './batch.ts';
import { connectDatabase } from './connect.ts';
import type { Tables } from './tables.ts';

let database: FreshDatabase;
let db: Kysely<Tables>;
beforeEach(async () => {
  database = await freshDatabase();
  db = connectDatabase(database.address, { maxConnections: 10, readConnections: 4, onIdleError() {} });
  await sql`create table slow (n int)`.execute(database.db);
});
afterEach(async () => {
  await sql`drop table slow`.execute(database.db);
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

const read = () => sql`select n from slow`.execute(db);
const as = <Result>(keys: CallerKeys, work: () => Promise<Result>) => responseMemory.open(keys).run(work);
const users = (count: number) => Array.from({ length: count }, (_, index) => ({ caller: `u${index}` }));
const waiting = (count: number) =>
  vi.waitFor(async () => expect(await waitingLocks(database.db)).toBe(count));

/** Does work while all that use the table wait. */
async function whileSlow(work: () => Promise<unknown>[] | Promise<Promise<unknown>[]>): Promise<void> {
  const held = await database.db.startTransaction().execute();
  await sql`lock table slow in access exclusive mode`.execute(held);
  const begun = await (async () => work())().finally(() => held.commit().execute());
  await Promise.all(begun);
}

test('slow reads take four connections of the pool, two for each caller, and others find the rest', () =>
  whileSlow(async () => {
    const ofOne = Array.from({ length: 20 }, () => as({ caller: 'u' }, read));
    await waiting(2);
    const ofOthers = users(5).map((keys) => as(keys, read));
    await waiting(4);
    // A connection for each of these, in a transaction, for a change, and for the hub itself.
    const { rows } = await as({ caller: 'u' }, () =>
      db.transaction().execute((tx) => sql`select 1`.execute(tx)),
    );
    expect(rows).toHaveLength(1);
    await as({ caller: 'u' }, () => sql`with one as (select 1) delete from users`.execute(db));
    expect((await sql`select 1`.execute(db)).rows).toHaveLength(1);
    expect(await waitingLocks(database.db)).toBe(4);
    return [...ofOne, ...ofOthers];
  }));

test('devices take two of them, whatever their number, and people the others', () =>
  whileSlow(async () => {
    const ofDevices = Array.from({ length: 12 }, (_, index) =>
      as({ caller: `d${index}`, group: `p${index % 6}` }, read),
    );
    await waiting(2);
    const ofUsers = users(2).map((keys) => as(keys, read));
    await waiting(4);
    return [...ofDevices, ...ofUsers];
  }));

test('a read that fails gives its turn back', async () => {
  const fail = () => as({ caller: 'u' }, () => sql`select n from missing`.execute(db).catch(() => 'failed'));
  const outcomes = await Promise.all(Array.from({ length: 10 }, fail));
  expect(new Set(outcomes)).toEqual(new Set(['failed']));
  expect((await as({ caller: 'u' }, read)).rows).toEqual([]);
});

test('who waits for a turn in vain is told to come again, and leaves the queue', () =>
  whileSlow(async () => {
    const begun = [1, 2].map(() => as({ caller: 'u' }, read));
    await waiting(2);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const late = as({ caller: 'u' }, read).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    expect(await late).toMatchObject({
      kind: 'NotReady',
      message: 'Too many slow queries are running. Try again in a moment.',
      retryAfterSecs: 5,
    });
    return begun;
  }));

test('reads that serve several callers wait for no turn of the one who began them', () =>
  whileSlow(async () => {
    const begun = [1, 2].map(() => as({ caller: 'u' }, read));
    await waiting(2);
    const together = batch(async (_db, questions: readonly number[]) => {
      const { rows } = await sql<{ n: number }>`select 1 as n`.execute(db);
      return questions.map((question) => question + (rows[0]?.n ?? 0));
    });
    expect(await as({ caller: 'u' }, () => together(db, 6))).toBe(7);
    return begun;
  }));
