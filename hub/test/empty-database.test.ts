import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase } from '../src/platform/db/connect.ts';
import { emptyDatabase } from './empty-database.ts';
import { ownDatabase, type FreshDatabase } from './fresh-database.ts';
import { dumpTables } from './table-changes.ts';

let database: FreshDatabase;
beforeAll(async () => void (database = await ownDatabase()));
afterAll(() => database[Symbol.asyncDispose]());

const emptied = async (...changes: string[]): Promise<string> => {
  for (const change of changes) await sql.raw(change).execute(database.db);
  await emptyDatabase(database.db);
  return dumpTables(database.db);
};

test('an emptied database holds the rows that its migrations wrote and no others', async () => {
  const before = await dumpTables(database.db);
  expect(before).toContain('0001-first-release');
  const after = await emptied(
    `insert into projects (project_id, name, created_at) values ('p', 'Plant', now())`,
    `insert into project_members (project_id, user_id, is_owner, added_at)
     select 'p', user_id, true, now() from users`,
    'delete from schema_migrations',
  );
  expect(after).toBe(before);
});

test('tables, partitions and schemas that a test added are dropped', async () => {
  await emptied(
    'create table extra (id integer)',
    'create table device_events_2620 partition of device_events for values from (2620) to (2621)',
    'create schema side create table side.extra (id integer)',
  );
  const { rows } = await sql`
    select relname from pg_class where relname in ('extra', 'device_events_2620')
    union all select nspname from pg_namespace where nspname = 'side'`.execute(database.db);
  expect(rows).toEqual([]);
});

test('connections that a test left open are ended', async () => {
  const lost: string[] = [];
  const left = connectDatabase(database.address, {
    maxConnections: 1,
    onIdleError: ({ message }) => lost.push(message),
  });
  await sql`select 1`.execute(left);
  await emptied();
  await expect.poll(() => lost).toEqual([expect.stringContaining('terminating connection')]);
  await left.destroy();
});

test('a test that alters a migrated table is told to use a database of its own', async () => {
  await expect(emptied('alter table projects add column extra text')).rejects.toThrow(
    'this test changed the table projects: take a database of its own with ownDatabase()',
  );
});
