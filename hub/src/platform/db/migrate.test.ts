import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { sql, type Kysely } from 'kysely';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { foldedMigrations, recordFolded } from '../../../test/folded-migrations.ts';
import { ownDatabase } from '../../../test/fresh-database.ts';
import { freshExecutor } from '../../../test/fresh-executor.ts';
import { seedDevice, seedProject } from '../../../test/seed.ts';
import { dumpTables } from '../../../test/table-changes.ts';
import { checkSchema } from '../../operator/doctor/check-database.ts';
import { version } from '../../wiring/version.ts';
import { connectDatabase } from './connect.ts';
import { describeSchema } from './describe-schema.ts';
import { knownMigrations, migrate, migrateTo } from './migrate.ts';
import type { Tables } from './tables.ts';

const pool = { maxConnections: 2, onIdleError() {} };
const server = inject('postgres');

let db: Kysely<Tables>;
let drop: () => Promise<void>;
beforeEach(async () => {
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  const admin = connectDatabase(server, pool);
  await sql`create database ${sql.id(database)}`.execute(admin);
  db = connectDatabase({ ...server, database }, pool);
  drop = async () => {
    await db.destroy();
    await sql`drop database ${sql.id(database)} with (force)`.execute(admin);
    await admin.destroy();
  };
});
afterEach(() => drop());

const namesIn = async (at: Kysely<Tables>) =>
  (await sql<{ name: string }>`select name from schema_migrations order by name`.execute(at)).rows.map(
    ({ name }) => name,
  );

test('every migration has run, and each has its own number', async () => {
  await migrate(db);
  const files = readdirSync(new URL('migrations', import.meta.url)).filter((file) => file.endsWith('.ts'));
  expect(await namesIn(db)).toEqual(files.map((file) => file.replace(/\.ts$/, '')).toSorted());
  expect(new Set(files.map((file) => file.slice(0, 4))).size).toBe(files.length);
  await migrate(db);
  expect(await namesIn(db)).toHaveLength(files.length);
});

test('a schema of a newer hub is not changed', async () => {
  await migrate(db);
  await sql`insert into schema_migrations (name, timestamp) values ('9999-of-tomorrow', now()::text)`.execute(
    db,
  );
  await sql`drop table removed_device_properties`.execute(db);
  await migrate(db);
  const { rows } = await sql`select 1 from pg_tables where tablename = 'removed_device_properties'`.execute(
    db,
  );
  expect(rows).toEqual([]);
});

test('a database that the migrations from before the first release made goes on with its data', async () => {
  const database = await ownDatabase();
  await using hub = await freshExecutor({ database });
  const project = await seedProject(hub);
  const { deviceId } = await seedDevice(hub, project);
  await hub.as(project.owner, 'devices_SetDeviceName', { deviceId, name: 'Pump 7' });
  const withoutNames = async () =>
    (await dumpTables(database.db)).replaceAll(/^schema_migrations .*\n/gm, '');
  const before = await withoutNames();
  await recordFolded(database.db);
  const other = connectDatabase(database.address, pool);

  await Promise.all([migrate(database.db), migrate(other)]);

  await other.destroy();
  expect(await namesIn(database.db)).toEqual(await knownMigrations());
  expect(await withoutNames()).toBe(before);
  await migrate(db);
  expect(await describeSchema(database.db)).toBe(await describeSchema(db));
  await hub.as(project.owner, 'devices_SetDeviceName', { deviceId, name: 'Pump 8' });
  const { name } = await hub.as(project.owner, 'devices_GetDeviceDetails', { deviceId });
  expect(name).toBe('Pump 8');
});

test('a database that only some of those migrations made is refused with the commit that has them all', async () => {
  await migrateTo(db, '0001-first-release');
  await recordFolded(db, foldedMigrations.slice(0, -1));
  const sentence =
    /^The database is from before the first release of Corral: start commit [0-9a-f]{9} of Corral on it once, and then this one\.$/;
  await expect(migrate(db)).rejects.toThrow(sentence);
  expect(await checkSchema(db, version)).toEqual([
    { check: 'Schema', state: 'wrong', text: expect.stringMatching(sentence) as string },
  ]);
  expect(await namesIn(db)).toEqual(foldedMigrations.slice(0, -1));
});

test('a server whose role may not add an extension goes on without the index of trigrams', async () => {
  // Raised in place of what a role without the right would be told, since the tests work as the owner of the server.
  await sql`
    create function refuse_extension() returns event_trigger language plpgsql as $$ begin
      raise insufficient_privilege using message = 'permission denied to create extension "pg_trgm"';
    end $$;
    create event trigger refuse_extension on ddl_command_start when tag in ('CREATE EXTENSION') execute function refuse_extension()`.execute(
    db,
  );

  await migrate(db);

  const { rows } = await sql`select to_regclass('device_texts_by_trigram') as index`.execute(db);
  expect(rows).toEqual([{ index: null }]);
});
