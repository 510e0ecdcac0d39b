import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts';
import { startDatabaseClock } from './database-clock.ts';

let database: FreshDatabase;
beforeAll(async () => void (database = await freshDatabase()));
afterAll(() => database[Symbol.asyncDispose]());

const warnings: object[] = [];
const log = { warn: (fields: object) => void warnings.push(fields) };
const monotonic = { aheadMs: 0 };
const monotonicMs = () => Number(process.hrtime.bigint()) / 1e6 + monotonic.aheadMs;

/** Whether a time lies between two readings of the database. */
async function isTimeOfDatabase(now: () => Date): Promise<boolean> {
  const read = async () => {
    const { rows } = await sql<{ at: number }>`
      select extract(epoch from clock_timestamp())::float8 * 1000 as at`.execute(database.db);
    return rows[0]!.at;
  };
  const before = await read();
  const at = now().getTime();
  const after = await read();
  // The offset is known to half the duration of a statement, which is longer on a busy machine; Date has whole milliseconds.
  const uncertaintyMs = after - before + 5;
  return at >= before - uncertaintyMs && at <= after + uncertaintyMs;
}

test('the time is that of the database, whatever the clock of the machine says, and a difference is logged once', async () => {
  const machineMs = () => Date.now() + 3_600_000;
  const clock = await startDatabaseClock({ db: database.db, log, monotonicMs, machineMs });
  await clock.read();
  expect(await isTimeOfDatabase(clock.now)).toBe(true);
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toMatchObject({ aheadMs: expect.closeTo(3_600_000, -4) as number });
  // A node that stood still, or whose clock runs fast, is right again after the next reading.
  monotonic.aheadMs = 15_000;
  expect(await isTimeOfDatabase(clock.now)).toBe(false);
  await clock.read();
  expect(await isTimeOfDatabase(clock.now)).toBe(true);
  await clock.stop();
});
