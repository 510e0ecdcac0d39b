import { ids, randomSymbols } from '@corral/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../../test/fresh-database.ts';
import {
  anyHex,
  anyId,
  anyLargeText,
  anyOf,
  anyText,
  contains,
  occurs,
  occursInTexts,
} from './searched-text.ts';

let database: FreshDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const statuses = ['Dangling', 'Available', 'Deleting'];
const names = ['Gate-9', 'GÄRTNER 100%', 'zoë', 'İstanbul', 'Kelvin', 'a_b', 'Straße', '東京 Gate', '', null];
const rows = names.map((name, at) => ({
  name,
  id: randomSymbols(22, (count) => crypto.getRandomValues(new Uint8Array(count))),
  digest: Array.from({ length: 64 }, (_, digit) => '0123456789abcdef'[(digit * (at + 3)) % 16]).join(''),
  status: statuses[at % 3],
}));

const table = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (name text, id text, digest text, status text)`;
const digest = sql`'sha256_' || digest`;
const searched = [
  anyText(sql`name`),
  anyId(ids.asset, sql`id`),
  anyHex('sha256_', digest),
  anyOf(statuses, sql`status`),
];

async function found(condition: ReturnType<typeof contains>): Promise<string[]> {
  const result = await sql<{ id: string }>`select id from ${table} where ${condition}`.execute(database.db);
  return result.rows.map(({ id }) => id);
}

/** The condition without optimizations. */
const plain = (text: string) => {
  const columns = [sql`name`, sql`'repo_a_' || id`, digest, sql`status`];
  const occurs = columns.map((column) => sql`strpos(folded(${column}), folded(${text})) > 0`);
  return sql<boolean>`coalesce(${sql.join(occurs, sql` or `)}, false)`;
};

/** Parts of the rows' texts, in any case. */
const part = fc
  .tuple(
    fc.constantFrom(
      ...rows.flatMap(({ name, id, digest: hex, status }) => [
        name ?? '',
        `repo_a_${id}`,
        `sha256_${hex}`,
        status ?? '',
      ]),
    ),
    fc.nat(80),
    fc.integer({ min: 1, max: 12 }),
    fc.constantFrom('unchanged', 'lower', 'upper'),
  )
  .map(([text, from, length, written]) => {
    const piece = text.slice(from % Math.max(1, text.length)).slice(0, length);
    return written === 'unchanged' ? piece : written === 'lower' ? piece.toLowerCase() : piece.toUpperCase();
  });
const texts = fc
  .oneof(
    part,
    part,
    fc.constantFrom('-', '_', 'o_', '6_f', 'z0', '%', 'nobody', '\u212a', '\u0130'),
    fc.string({ maxLength: 3 }),
  )
  .map((text) => text.replaceAll('\0', '').trim());

/** The same for texts at the start. */
const plainStart = (text: string) => {
  const columns = [sql`name`, sql`'repo_a_' || id`, digest, sql`status`];
  const begin = columns.map((column) => sql`starts_with(folded(${column}), folded(${text}))`);
  return sql<boolean>`coalesce(${sql.join(begin, sql` or `)}, false)`;
};

test('finds the same rows that begin with a text as a comparison of all texts without case and accents', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      expect(await found(occurs(searched, text, 'at the start'))).toEqual(await found(plainStart(text)));
    }),
    { numRuns: 100 },
  );
});

test('several texts in one column are searched as columns are', async () => {
  const columns = [anyText(sql`name`), anyText(sql`digest`)];
  const column = sql`chr(1) || folded(coalesce(name, '')) || chr(1) || lower(digest)`;
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom('anywhere', 'at the start'), async (text, place) => {
      const expected = await found(occurs(columns, text, place));
      expect(await found(occursInTexts(column, text, place)), text).toEqual(expected);
    }),
    { numRuns: 100 },
  );
  expect(await found(occursInTexts(column, '\u0001', 'anywhere'))).toEqual([]);
});

test('a text that is searched as a large one is found like any other', async () => {
  const [all, large] = [anyText(sql`name`), anyLargeText(sql`name`)];
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom('anywhere', 'at the start'), async (text, place) => {
      expect(await found(occurs([large], text, place))).toEqual(await found(occurs([all], text, place)));
    }),
    { numRuns: 100 },
  );
});

test('finds the same rows as a comparison of all texts without case and accents', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      expect(await found(contains(searched, text))).toEqual(
        await found(text === '' ? sql`true` : plain(text)),
      );
    }),
    { numRuns: 100 },
  );
});

test('finds the same rows as a comparison of folded texts for each letter with a case', async () => {
  const letters = Array.from({ length: 0x2_0000 }, (_, point) => String.fromCodePoint(point)).filter(
    (letter) => letter.toLowerCase() !== letter,
  );
  for (const letter of letters) {
    expect(await found(contains(searched, letter))).toEqual(await found(plain(letter)));
  }
}, 60_000);

test('accents count neither in what is searched nor in the text, in whichever form of Unicode', async () => {
  const foundNames = async (text: string) => {
    const foundIds = await found(contains([anyText(sql`name`)], text));
    return rows.filter(({ id }) => foundIds.includes(id)).map(({ name }) => name);
  };
  for (const text of ['gartner', 'GÄRTNER', 'ga\u0308rtner', 'gàrtnér'])
    expect(await foundNames(text), text).toEqual(['GÄRTNER 100%']);
  expect(await foundNames('strasse')).toEqual(['Straße']);
  expect(await foundNames('zoé')).toEqual(['zoë']);
});

test('reads no rows for a text that no row can contain', () => {
  expect(contains(searched.slice(1), 'nobody-has-this').compile(database.db).sql).toBe('false');
});
