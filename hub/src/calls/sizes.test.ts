import type { Json } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts';
import { jsonWithin } from './sizes.ts';

let database: FreshDatabase;
beforeAll(async () => void (database = await freshDatabase()));
afterAll(() => database[Symbol.asyncDispose]());

async function bytesInDatabase(value: Json): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select octet_length(${JSON.stringify(value)}::jsonb::text) as bytes`.execute(database.db);
  return rows[0]!.bytes;
}

/** Whether a number and other bytes fit within 1 KiB. */
function fits(value: number, otherBytes: number): boolean {
  try {
    jsonWithin(1, 'It', value, otherBytes);
    return true;
  } catch {
    return false;
  }
}

test('numbers are measured with all digits that the database writes', async () => {
  for (const value of [
    0, -1.5, 1e21, -1.25e21, 1.7976931348623157e308, 1e-7, -1.5e-7, 2.2250738585072014e-308, 5e-324,
  ]) {
    const otherBytes = 1024 - (await bytesInDatabase(value));
    expect(fits(value, otherBytes), `${value}`).toBe(true);
    expect(fits(value, otherBytes + 1), `${value}`).toBe(false);
  }
});

test('a document that is small as JSON and large in the database is refused', async () => {
  const value = { samples: Array.from({ length: 500 }, () => 5e-324) };
  expect(JSON.stringify(value).length).toBeLessThan(4096);
  expect(await bytesInDatabase(value)).toBeGreaterThan(160_000);
  expect(() => jsonWithin(4, 'The metadata of a file', value)).toThrow(
    'The metadata of a file may have at most 4 KiB as JSON.',
  );
});
