import { compareNames, foldText, orderKey } from '@corral/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../test/fresh-database.ts';

let database: FreshDatabase;
beforeAll(async () => void (database = await freshDatabase()));
afterAll(() => database[Symbol.asyncDispose]());

const samples = [
  'Pump 2',
  'pump 10',
  'PÜMP 0011',
  'Übergröße Æ',
  'İstanbul',
  'ΣΑΣ',
  'ΑΣ 9',
  'ŁÓDŹ',
  '٣',
  '가각',
  'がぎ',
  'हिन्दी',
  '🐎 7',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-rc.11',
  'v1.0.0+b',
  '1.2',
  '1.2.3.4',
  '1.0.0-',
  '1.',
  '1..2',
  'v1',
  '1.0.0-a..b',
  '',
  ' ',
  '00',
  '0',
  'a'.repeat(200),
  '9'.repeat(40),
  '1.0.0-é',
  '1.0.0\n',
  '\u0301',
  'x\u0007y',
];

async function inDatabase(names: readonly string[]): Promise<{ key: string; folded: string }[]> {
  const { rows } = await sql<{ key: string; folded: string }>`
    select name_key(name) as key, folded(name) as folded from unnest(${names}::text[]) with ordinality as t(name, place) order by place`.execute(
    database.db,
  );
  return rows;
}

test('the database sorts and searches names by the same keys as the console', async () => {
  const ofScripts = fc.string({ unit: fc.constantFrom(...'aZ09.-+v éÉøŁßİ\u0301\u0308ÆжЖあ가') });
  const names = [...samples, ...fc.sample(ofScripts, { numRuns: 2_000, seed: 32 })];
  const keys = await inDatabase(names);
  expect(keys).toEqual(names.map((name) => ({ key: orderKey(name), folded: foldText(name) })));
});

test('and in the same order', async () => {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${samples}::text[]) as t(name) order by name_key(name) collate "C", name collate "C"`.execute(
    database.db,
  );
  const sorted = samples.toSorted((one, other) => compareNames(one, other) || (one < other ? -1 : 1));
  expect(rows.map(({ name }) => name)).toEqual(sorted);
});
