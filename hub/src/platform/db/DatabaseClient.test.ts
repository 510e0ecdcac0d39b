import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../test/fresh-database.ts';
import { connectDatabase, planEachTime } from './connect.ts';
import type { Tables } from './tables.ts';

let database: FreshDatabase;
/** One connection that has all statements. */
let db: Kysely<Tables>;

beforeAll(async () => {
  database = await freshDatabase();
  db = connectDatabase(database.address, { maxConnections: 1, onIdleError() {} });
});
afterAll(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

test('a statement with parameters is prepared once on a connection and answers every time', async () => {
  await db.connection().execute(async (connection) => {
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

/** The prepared statements of a connection, as the server lists them. */
async function prepared(connection: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(
    connection,
  );
  return rows.map(({ statement }) => statement);
}

test('a connection keeps at most 400 statements prepared, and answers all', async () => {
  await db.connection().execute(async (connection) => {
    for (const nth of [...Array(500).keys(), ...Array(500).keys()]) {
      const { rows } = await sql<{ sum: number }>`select ${1}::int + ${sql.lit(nth)} as sum`.execute(
        connection,
      );
      expect(rows).toEqual([{ sum: nth + 1 }]);
    }
    expect((await prepared(connection)).length).toBeLessThanOrEqual(400);
  });
});

test('statements that are dropped in a failed transaction leave the connection usable', async () => {
  const failed = db.transaction().execute(async (tx) => {
    await sql`select 1 / ${0}::int`.execute(tx).catch(() => {});
    for (let nth = 0; nth < 450; nth += 1)
      await sql`select ${1}::int * ${sql.lit(nth)}`.execute(tx).catch(() => {});
    throw new Error('enough');
  });
  await expect(failed).rejects.toThrow('enough');
  for (let nth = 0; nth < 450; nth += 1)
    expect((await sql`select ${1}::int * ${sql.lit(nth)} as n`.execute(db)).rows).toEqual([{ n: nth }]);
});

test('a statement that is to be planned each time is not prepared', async () => {
  await db.connection().execute(async (connection) => {
    const { rows } = await sql`select ${7}::int as seven ${sql.raw(planEachTime)}`.execute(connection);
    expect(rows).toEqual([{ seven: 7 }]);
    expect((await prepared(connection)).filter((text) => text.includes('seven'))).toEqual([]);
  });
});

test('a statement whose columns have changed fails once on a connection', async () => {
  await sql`create table growing (n int)`.execute(db);
  await sql`insert into growing values (1)`.execute(db);
  await db.connection().execute(async (connection) => {
    const read = () => sql`select * from growing where n = ${1}`.execute(connection);
    expect((await read()).rows).toEqual([{ n: 1 }]);
    await sql`alter table growing add column note text`.execute(connection);
    await expect(read()).rejects.toThrow('cached plan must not change result type');
    expect((await read()).rows).toEqual([{ n: 1, note: null }]);
  });
  await sql`drop table growing`.execute(db);
});

test('a statement that fails leaves the connection usable', async () => {
  await db.connection().execute(async (connection) => {
    await expect(sql`select 1 / ${0}::int`.execute(connection)).rejects.toThrow('division by zero');
    await expect(sql`select 1 / ${0}::int`.execute(connection)).rejects.toThrow('division by zero');
    expect((await sql`select 1 / ${1}::int as one`.execute(connection)).rows).toEqual([{ one: 1 }]);
  });
});
