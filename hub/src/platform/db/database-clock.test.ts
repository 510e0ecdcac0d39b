import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../test/fresh-database.ts';
import { startDatabaseClock, type DatabaseClock } from './database-clock.ts';

let database: FreshDatabase;
beforeAll(async () => void (database = await freshDatabase()));
afterAll(() => database[Symbol.asyncDispose]());

const warnings: object[] = [];
const log = { warn: (fields: object) => void warnings.push(fields) };
const monotonic = { aheadMs: 0 };
const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6 + monotonic.aheadMs;

/** Reads the clock of the database, and returns whether the time then lies between two readings of the test. */
async function readsTimeOfDatabase(clock: DatabaseClock): Promise<boolean> {
  const askedAtMs = performance.now();
  await clock.read();
  return isTimeOfDatabase(clock.now, performance.now() - askedAtMs);
}

/** Whether a time lies between two readings of the database; `readingMs` is how long the last reading of the clock took. */
async function isTimeOfDatabase(now: () => Date, readingMs: number): Promise<boolean> {
  const read = async () => {
    const { rows } = await sql<{ at: number }>`
      select extract(epoch from clock_timestamp())::float8 * 1000 as at`.execute(database.db);
    return rows[0]!.at;
  };
  const before = await read();
  const at = now().getTime();
  const after = await read();
  // The offset is known to the duration of the reading, which is longer on a busy machine; Date has whole milliseconds.
  const uncertaintyMs = readingMs + 5;
  return at >= before - uncertaintyMs && at <= after + uncertaintyMs;
}

test('the time is that of the database, whatever the clock of the machine says, and a difference is logged once', async () => {
  const machineMs = () => Date.now() + 3_600_000;
  const clock = await startDatabaseClock({ db: database.db, log, monotonicMs, machineMs });
  expect(await readsTimeOfDatabase(clock)).toBe(true);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatchObject({ aheadMs: expect.closeTo(3_600_000, -4) as number });
  // A node that stood still, or whose clock runs fast, is right again after the next reading.
  monotonic.aheadMs = 15_000;
  expect(await isTimeOfDatabase(clock.now, 0)).toBe(false);
  expect(await readsTimeOfDatabase(clock)).toBe(true);
  await clock.stop();
});
