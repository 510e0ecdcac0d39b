import { AbortedTransactionError, CompiledQuery, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../test/fresh-database.ts';
import { recordStatements } from '../../test/recorded-statements.ts';
import { connectDatabase } from './connect.ts';
import { thenCommit } from './PipelinedConnection.ts';
import { PipeliningDriver } from './PipeliningDriver.ts';

let database: FreshDatabase;

beforeAll(async () => {
  database = await freshDatabase();
  await sql`create table counted (n int primary key)`.execute(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const insert = (n: number) => sql`insert into counted values (${n})`;
const counted = async (): Promise<number[]> =>
  (await sql<{ n: number }>`select n from counted order by n`.execute(database.db)).rows.map(({ n }) => n);

test('a transaction begins with its first statement, without a round trip of its own', async () => {
  const { address } = database;
  const pool = new pg.Pool({ ...(address as object), max: 1, pipeline: true } as pg.PoolConfig);
  const clients: pg.PoolClient[] = [];
  pool.on('connect', (client) => clients.push(client));
  const driver = new PipeliningDriver({ pool });
  await driver.init();
  const connection = await driver.acquireConnection();
  await driver.beginTransaction(connection, {});
  const [client] = clients as unknown as [{ getTransactionStatus(): string | null }];
  expect(client.getTransactionStatus()).toBe('I');
  await connection.executeQuery(CompiledQuery.raw('insert into counted values (100)'));
  expect(client.getTransactionStatus()).toBe('T');
  expect(await counted()).toEqual([]);
  await driver.commitTransaction(connection);
  expect(await counted()).toEqual([100]);
  await driver.releaseConnection(connection);
  await driver.destroy();
  await sql`delete from counted`.execute(database.db);
});

test('many transactions on few connections are each whole or absent', async () => {
  const db = connectDatabase(database.address, { maxConnections: 2, onIdleError() {} });
  const pairs = Array.from({ length: 40 }, (_, index) =>
    db.transaction().execute(async (tx) => {
      await insert(2 * index).execute(tx);
      if (index % 3 === 0) await insert(2 * index).execute(tx);
      await insert(2 * index + 1).execute(tx);
    }),
  );
  const outcomes = await Promise.allSettled(pairs);
  expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(
    pairs.map((_, index) => index % 3 === 0),
  );
  expect(await counted()).toEqual(
    pairs.flatMap((_, index) => (index % 3 === 0 ? [] : [2 * index, 2 * index + 1])),
  );
  await db.destroy();
});

test('a transaction that does nothing, or fails before its first statement, sends nothing and leaves the connection usable', async () => {
  const db = connectDatabase(database.address, { maxConnections: 1, onIdleError() {} });
  await insert(999).execute(db);
  using statements = recordStatements();
  await db.transaction().execute(async () => undefined);
  await expect(db.transaction().execute(() => Promise.reject(new Error('too early')))).rejects.toThrow(
    'too early',
  );
  expect(statements.containing('')).toEqual([]);
  await insert(1_000).execute(db);
  expect(await counted()).toContain(1_000);
  await db.destroy();
});

test('a transaction is committed with the statement that says so', async () => {
  const { db } = database;
  await db.transaction().execute(async (tx) => {
    await insert(3_000).execute(tx);
    await sql`insert into counted values (${3_001}) ${sql.raw(thenCommit)}`.execute(tx);
    await vi.waitFor(async () => expect(await counted()).toEqual(expect.arrayContaining([3_000, 3_001])));
  });
  expect(await counted()).toContain(3_001);
});

test('a transaction whose last statement fails is rolled back with the error of that statement', async () => {
  const db = connectDatabase(database.address, { maxConnections: 1, onIdleError() {} });
  const failed = db.transaction().execute(async (tx) => {
    await insert(4_000).execute(tx);
    await sql`insert into counted values (${4_000}) ${sql.raw(thenCommit)}`.execute(tx);
  });
  await expect(failed).rejects.toMatchObject({ code: '23505' });
  await insert(4_001).execute(db);
  const numbers = await counted();
  expect(numbers).toContain(4_001);
  expect(numbers).not.toContain(4_000);
  await db.destroy();
});

test('a last statement that takes the place of another among the prepared ones is sent before its COMMIT', async () => {
  const db = connectDatabase(database.address, { maxConnections: 1, onIdleError() {} });
  await insert(6_000).execute(db);
  await db.transaction().execute(async (tx) => {
    for (let nth = 0; nth < 400; nth += 1) await sql`select ${1}::int + ${sql.lit(nth)}`.execute(tx);
  });
  const failed = db.transaction().execute(async (tx) => {
    await sql`insert into counted values (6001)`.execute(tx);
    await sql`insert into counted values (${6_000}) ${sql.raw(thenCommit)}`.execute(tx);
  });
  await expect(failed).rejects.toMatchObject({ code: '23505' });
  expect(await counted()).not.toContain(6_001);
  await db.destroy();
});

test('a commit that the server turns into a rollback is an error', async () => {
  const { db } = database;
  const swallowed = db.transaction().execute(async (tx) => {
    await insert(5_000).execute(tx);
    await sql`insert into counted values (${5_000}) ${sql.raw(thenCommit)}`
      .execute(tx)
      .catch(() => undefined);
  });
  await expect(swallowed).rejects.toBeInstanceOf(AbortedTransactionError);
  expect(await counted()).not.toContain(5_000);
});
