import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts';

let database: FreshDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

test('a statement with parameters is prepared once on a connection and answers every time', async () => {
  await database.db.connection().execute(async (connection) => {
    for (const value of [1, 2, 3]) {
      const { rows } = await sql<{ doubled: number }>`select ${value}::int * 2 as doubled`.execute(
        connection,
      );
      expect(rows).toEqual([{ doubled: value * 2 }]);
    }
    const { rows } = await sql<{ calls: number }>`
      select sum(generic_plans + custom_plans) as calls from pg_prepared_statements where statement like '%* 2 as doubled%'
        and statement not like '%pg_prepared%'`.execute(connection);
    expect(Number(rows[0]?.calls)).toBe(3);
  });
});

test('a statement that fails leaves the connection usable', async () => {
  await database.db.connection().execute(async (connection) => {
    await expect(sql`select 1 / ${0}::int`.execute(connection)).rejects.toThrow('division by zero');
    await expect(sql`select 1 / ${0}::int`.execute(connection)).rejects.toThrow('division by zero');
    expect((await sql`select 1 / ${1}::int as one`.execute(connection)).rows).toEqual([{ one: 1 }]);
  });
});
