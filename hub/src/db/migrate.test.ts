import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { sql, type Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { writeProperty } from '../store/device-properties.ts';
import { readDeviceUsage } from '../store/device-usage.ts';
import { connectDatabase } from './connect.ts';
import { knownMigrations, migrate, migrateTo } from './migrate.ts';
import * as firstTables from './migrations/0001-first-tables.ts';
import * as admissionLimits from './migrations/0002-admission-limits.ts';
import * as registrations from './migrations/0003-registrations.ts';
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

const names = async () =>
  (await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db)).rows.map(
    ({ name }) => name,
  );

test('every migration has run, and each has its own number', async () => {
  await migrate(db);
  const files = readdirSync(new URL('migrations', import.meta.url)).map((file) => file.replace(/\.ts$/, ''));
  expect(await names()).toEqual(files.toSorted());
  expect(new Set(files.map((file) => file.slice(0, 4))).size).toBe(files.length);
  await migrate(db);
  expect(await names()).toHaveLength(files.length);
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

/** The write statements of the hub that had only the first three migrations. */
async function writeAsBefore(device: string, connection: string): Promise<void> {
  await sql`
    insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, created_at)
      values (${device}, 'plant', ${device}, '', now());
    `.execute(db);
  await sql`
    insert into device_properties (device_id, name, value, is_protected, updated_at)
      values (${device}, 'mode', '1', false, now())
      on conflict (device_id, name) do update set value = excluded.value, version = device_properties.version + 1`.execute(
    db,
  );
  await sql`
    insert into device_connections (connection_id, device_id, node_id, connected_at, ended_at, end_reason)
      values (${connection}, ${device}, 'node', now(), now(), 'Disconnected')`.execute(db);
}

test('the data of an older hub stays, and that hub can still write', async () => {
  const before = {
    '0001-first-tables': firstTables,
    '0002-admission-limits': admissionLimits,
    '0003-registrations': registrations,
  };
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => before },
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
  });
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  await sql`insert into projects (project_id, name, created_at) values ('plant', 'Plant', now())`.execute(db);
  await writeAsBefore('old', 'c1');

  await migrate(db);
  await writeAsBefore('new', 'c2');

  const change = { name: 'mode', value: '2', isProtected: undefined, byDevice: true };
  for (const deviceId of ['old', 'new'])
    expect(await writeProperty(db, { ...change, deviceId }, 500, new Date())).toBe('Written');
  const properties = await db.selectFrom('device_properties').select(['device_id', 'version']).execute();
  expect(properties).toEqual(
    expect.arrayContaining([
      { device_id: 'old', version: 2 },
      { device_id: 'new', version: 2 },
    ]),
  );
  const connections = await db.selectFrom('device_connections').select('connection_id').execute();
  expect(connections).toHaveLength(2);
});

test('packages that were there before know their newest versions, and those of an older hub follow its writes', async () => {
  await migrateTo(db, '0036-stores-by-size');
  const publish = (packageId: string, name: string, hours: number) => sql`
    insert into package_versions (version_id, package_id, repository_id, name, created_at)
      values (${`${packageId} ${name}`}, ${packageId}, 'fw', ${name}, timestamptz '2026-10-01Z' + ${hours} * interval '1 hour')`;
  await sql`insert into repositories (repository_id, name, visibility, created_at) values ('fw', 'fw', 'Private', now())`.execute(
    db,
  );
  await sql`insert into packages (package_id, repository_id, name, created_at)
    select id, 'fw', id, now() from unnest(array['old', 'new', 'none']) id`.execute(db);
  for (const [name, hours] of [
    ['1.2', 0],
    ['1.10', 2],
    ['1.9', 1],
  ] as const)
    await publish('old', name, hours).execute(db);

  await migrate(db);
  await publish('new', '3', 5).execute(db);

  const found = await db
    .selectFrom('packages')
    .select(['newest_version_id', 'newest_at', 'newest_key'])
    .orderBy('newest_at')
    .execute();
  expect(found).toEqual([
    {
      newest_version_id: 'old 1.10',
      newest_at: '2026-10-01T02:00:00Z',
      newest_key: '00000000000000000001.00000000000000000010.00000000000000000000#',
    },
    { newest_version_id: 'new 3', newest_at: '2026-10-01T05:00:00Z', newest_key: '00000000000000000003' },
    { newest_version_id: null, newest_at: null, newest_key: null },
  ]);
});

test('devices that a running hub adds and renames meanwhile are searched as well', async () => {
  await migrateTo(db, '0046-assets-without-chunk-digests');
  await sql`insert into projects (project_id, name, created_at) values ('plant', 'Plant', now())`.execute(db);
  const add = (id: string, name: string) => sql`
    insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, name, created_at)
      values (${id}, 'plant', ${id}, '', ${name}, now())`;
  await add('old', 'before').execute(db);
  let migrating: Promise<void> | undefined;
  await db.transaction().execute(async (tx) => {
    await add('late', 'Pump 7').execute(tx);
    await sql`update devices set name = 'After' where device_id = 'old'`.execute(tx);
    migrating = migrate(db);
    const waiting = sql`select 1 from pg_locks l join pg_database b on b.oid = l.database
      where b.datname = current_database() and l.relation = 'all_devices'::regclass and not l.granted`;
    await expect.poll(async () => (await waiting.execute(tx)).rows).toHaveLength(1);
  });
  await migrating;

  const { rows } = await sql`select texts from device_texts order by device_id`.execute(db);
  expect(rows).toEqual([
    { texts: '\u0001d_late\u0001pump 7\u0001' },
    { texts: '\u0001d_old\u0001after\u0001' },
  ]);
});

test('a server whose role may not add an extension goes on without the index of trigrams', async () => {
  await migrateTo(db, '0046-assets-without-chunk-digests');
  await sql`insert into projects (project_id, name, created_at) values ('plant', 'Plant', now())`.execute(db);
  await sql`
    insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, name, created_at)
      values ('Pump', 'plant', 'pump', '', 'GÄRTNER 100%', now())`.execute(db);
  // Raised in place of what a role without the right would be told, since the tests work as the owner of the server.
  await sql`
    create function refuse_extension() returns event_trigger language plpgsql as $$ begin
      raise insufficient_privilege using message = 'permission denied to create extension "pg_trgm"';
    end $$;
    create event trigger refuse_extension on ddl_command_start when tag in ('CREATE EXTENSION') execute function refuse_extension()`.execute(
    db,
  );

  await migrate(db);

  const { rows } =
    await sql`select texts, to_regclass('device_texts_by_trigram') as index from device_texts`.execute(db);
  expect(rows).toEqual([{ texts: '\u0001d_pump\u0001gartner 100%\u0001', index: null }]);
});

test('addresses and names of earlier releases get one spelling, and nobody and nothing is lost', async () => {
  await migrateTo(db, (await knownMigrations()).findLast((name) => name < '0059') ?? '');
  const ascii = 'ann@xn--mnchen-3ya.example';
  const inserts = [
    sql`insert into users (user_id, email, display_name, created_at) values
      ('ann', 'ann@münchen.example', ${'Rene\u0301'}, '2026-01-01'), ('ann 2', ${ascii}, 'B', '2026-01-02'),
      ('bea', ${'bea\u0301@xn--mnchen-3ya.example'}, 'C', '2026-01-03'), ('cat', 'cat@example.org', 'D', '2026-01-04')`,
    sql`insert into repositories (repository_id, name, visibility, created_at) values
      ('one', 'é', 'Private', now()), ('other', ${'e\u0301'}, 'Private', now()), ('third', ${'u\u0308'}, 'Private', now())`,
    sql`insert into projects (project_id, name, created_at) values ('plant', ${'Usine e\u0301'}, now())`,
    sql`insert into invitations (invitation_id, project_id, email, created_at, expires_at) values ('i', 'plant', ${ascii}, now(), now())`,
    sql`insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, name, created_at)
      values ('d', 'plant', 'd', '', ${'Pompe e\u0301 10'}, now())`,
  ];
  for (const insert of inserts) await insert.execute(db);

  await migrate(db);

  const users = await sql`select user_id, email, display_name as name from users order by created_at`.execute(
    db,
  );
  expect(users.rows).toEqual([
    { user_id: 'ann', email: 'ann@münchen.example', name: 'René' },
    { user_id: 'ann 2', email: ascii, name: 'B' },
    { user_id: 'bea', email: 'beá@münchen.example', name: 'C' },
    { user_id: 'cat', email: 'cat@example.org', name: 'D' },
  ]);
  const all = sql`select name from repositories union all select name from projects union all select name from devices
    union all select email from invitations union all select texts from device_texts`;
  expect((await all.execute(db)).rows.map((row) => Object.values(row as object)[0])).toEqual([
    'é',
    'ü',
    'é other',
    'Usine é',
    'Pompe é 10',
    'ann@münchen.example',
    '\u0001d_d\u0001pompe e 10\u0001',
  ]);
});

test('metadata that was there before counts, and long lists of names of properties stay', async () => {
  await migrateTo(db, '0048-invitations-not-mailed');
  await sql`insert into projects (project_id, name, created_at) values ('plant', 'Plant', now())`.execute(db);
  await sql`
    insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, metadata, created_at)
      select id, 'plant', id, '', metadata, now() from (values
        ('none', '{}'::jsonb), ('small', '{"site": "north"}'),
        ('large', (select jsonb_object_agg(n, md5(n::text)) from generate_series(1, 1000) n))) as d(id, metadata)`.execute(
    db,
  );
  await sql`insert into project_property_names (project_id, name) select 'plant', 'p' || n from generate_series(1, 6000) n`.execute(
    db,
  );

  await migrate(db);
  await sql`
    insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, metadata, created_at)
      values ('new', 'plant', 'new', '', '{"site": "north"}', now()), ('new none', 'plant', 'new none', '', '{}', now())`.execute(
    db,
  );

  const { rows } = await sql`select device_id as id, metadata_bytes as bytes from devices order by 1`.execute(
    db,
  );
  const large = Array.from({ length: 1000 }, (_, index) => `"${index + 1}": "${'x'.repeat(32)}"`).join(', ');
  expect(rows).toEqual([
    { id: 'large', bytes: large.length + 2 },
    { id: 'new', bytes: 17 },
    { id: 'new none', bytes: 0 },
    { id: 'none', bytes: null },
    { id: 'small', bytes: null },
  ]);
  const used = await Promise.all(['none', 'small'].map((id) => readDeviceUsage(db, id, new Date())));
  expect(used.map(({ propertyBytes }) => propertyBytes)).toEqual([0, 17]);
  await sql`insert into device_properties (device_id, name, value, is_protected, updated_at) values ('new', 'another', '1', false, now())`.execute(
    db,
  );
  const { rows: counted } = await sql`select count(*) as names from project_property_names`.execute(db);
  expect(counted).toEqual([{ names: 6000 }]);
});
