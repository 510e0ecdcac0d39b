import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freshDatabase, type FreshDatabase } from '../../../test/fresh-database.ts';
import { partitionedRelay } from '../../../test/partitioned-relay.ts';
import { allowLongStatements } from './allow-long-statements.ts';
import { breakConnections, connectDatabase, type Database, type DatabaseAddress } from './connect.ts';

let database: FreshDatabase;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

test('a connection that is cut in the middle of a transaction fails that transaction and nothing else', async () => {
  const { db } = database;
  const cut = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
    await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db);
    await sql`select pg_sleep(10)`.execute(tx);
  });
  await expect(cut).rejects.toThrow(/terminat|connection error|ECONNRESET|EPIPE/i);
  expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }]);
});

test('a statement of a killed hub ends, and its locks with it', async () => {
  const { db, address } = database;
  const lock = (on: Database, id: number) => sql`select pg_advisory_xact_lock(${id})`.execute(on);
  const killed = connectDatabase(address, { maxConnections: 1, onIdleError() {} });
  await db.transaction().execute(async (tx) => {
    await lock(tx, 1);
    const lost = killed.transaction().execute(async (own) => {
      await lock(own, 2);
      await lock(own, 1);
    });
    lost.catch(() => undefined);
    const waiting = sql`select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    await vi.waitFor(async () => expect((await waiting.execute(db)).rows).toHaveLength(1));
    breakConnections(killed);
    await expect(lost).rejects.toThrow(
      /does not answer|connection error|read timeout|terminated unexpectedly/,
    );
    await lock(db, 2);
  });
  await killed.destroy();
});

test('the database ends idle transactions after 10 s, and looks for lost connections every 2 s', async () => {
  const { db } = database;
  const setting = async (name: string) =>
    (await sql<{ value: string }>`select current_setting(${name}) as value`.execute(db)).rows[0]?.value;
  expect(await setting('idle_in_transaction_session_timeout')).toBe('10s');
  expect(await setting('client_connection_check_interval')).toBe('2s');
});

const answerTimeoutMs = 1_000;
const one = sql<{ one: number }>`select 1 as one`;

test('a partitioned server fails waiting statements, and is used again after it recovers', async () => {
  await using relay = await partitionedRelay(database.address as Extract<DatabaseAddress, { host: string }>);
  const db = connectDatabase(relay.address, { maxConnections: 1, answerTimeoutMs, onIdleError() {} });
  const lost = db.transaction().execute(async (tx) => {
    await one.execute(tx);
    relay.partition();
    await one.execute(tx);
  });
  await expect(lost).rejects.toThrow(/does not answer|connection error|read timeout|terminated unexpectedly/);
  relay.heal();
  expect((await one.execute(db)).rows).toEqual([{ one: 1 }]);
  await db.destroy();
});

test('broken connections of a partitioned server fail waiting statements at once, and idle ones are not used again', async () => {
  await using relay = await partitionedRelay(database.address as Extract<DatabaseAddress, { host: string }>);
  const db = connectDatabase(relay.address, { maxConnections: 3, onIdleError() {} });
  await Promise.all([1, 2, 3].map(() => one.execute(db)));
  relay.partition();
  const waiting = one.execute(db);
  waiting.catch(() => undefined);
  await setImmediate();
  breakConnections(db);
  await expect(waiting).rejects.toThrow(
    /does not answer|connection error|read timeout|terminated unexpectedly/,
  );
  relay.heal();
  expect((await one.execute(db)).rows).toEqual([{ one: 1 }]);
  await db.destroy();
});

test('a connection to a server that has become a standby is not used again', async () => {
  await using own = await freshDatabase();
  const db = connectDatabase(own.address, { maxConnections: 1, onIdleError() {} });
  const change = () => sql`create table changed ()`.execute(db);
  await sql`set default_transaction_read_only = on`.execute(db);
  await expect(change()).rejects.toThrow(/read-only transaction/);
  await change();
  await db.destroy();
});

test('an idle connection survives that time, and so does a long statement', async () => {
  const idleErrors: Error[] = [];
  const onIdleError = (error: Error): number => idleErrors.push(error);
  const db = connectDatabase(database.address, { maxConnections: 1, answerTimeoutMs, onIdleError });
  const pidOf = async (on: Database) =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(on)).rows[0]?.pid;
  const before = await pidOf(db);
  await sql`select pg_sleep(1.5)`.execute(database.db);
  expect(await pidOf(db)).toBe(before);
  await db.transaction().execute(async (tx) => {
    await allowLongStatements(tx);
    await sql`select pg_sleep(1.5)`.execute(tx);
  });
  await expect(sql`select pg_sleep(1.5)`.execute(db)).rejects.toThrow('Query read timeout');
  expect(idleErrors).toEqual([]);
  await db.destroy();
});
