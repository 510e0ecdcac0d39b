import { sql, type Kysely, type RawBuilder } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ownDatabase, type FreshDatabase } from '../../../test/fresh-database.ts';
import { breakingChanges, readSchema } from '../../../test/schema-changes.ts';
import { version } from '../../wiring/version.ts';
import { migrate, readMigrations, type HubMigration } from './migrate.ts';
import { isOlderRelease } from './releases.ts';
import type { Tables } from './tables.ts';

/** The schema of the first release. */
const baseline = '0001-first-release';
/** What looks like such a change and is none, each with the reason. */
const reviewed: Readonly<Record<string, string>> = Object.fromEntries(
  [
    '0064-fewer-triggers: function natural_key(name text) returns text',
    '0065-unused-columns-of-assets: column assets.has_chunk_digests',
    '0065-unused-columns-of-assets: column assets.adoption_tries',
    '0065-unused-columns-of-assets: column assets.adopt_after',
    '0065-unused-columns-of-assets: column object_stores.trusts_size',
    '0085-windows-of-operations: column device_operations.delivery',
  ].map((what) => [`${what} is gone`, 'No release has used it.']),
);

let database: FreshDatabase;
let db: Kysely<Tables>;
let ours: Record<string, HubMigration>;
beforeAll(async () => {
  database = await ownDatabase();
  db = database.db;
  ours = await readMigrations();
});
afterAll(() => database[Symbol.asyncDispose]());

const names = () => Object.keys(ours).toSorted();
const pick = (isWanted: (name: string) => boolean): Record<string, HubMigration> =>
  Object.fromEntries(Object.entries(ours).filter(([name]) => isWanted(name)));

describe('what a hub of the release before cannot live with is found:', () => {
  async function changesOf(statement: RawBuilder<unknown>): Promise<string[]> {
    const before = await readSchema(db);
    return db
      .transaction()
      .execute(async (tx) => {
        await statement.execute(tx);
        throw Object.assign(new Error('undo'), { changes: breakingChanges(before, await readSchema(tx)) });
      })
      .catch((error: { changes?: string[] }) => {
        if (error.changes === undefined) throw error;
        return error.changes;
      });
  }

  test.each([
    [sql`drop table queued_mails cascade`, 'relation queued_mails is gone'],
    [sql`alter table projects rename column name to title`, 'column projects.name is gone'],
    [sql`alter table cluster_nodes drop column version`, 'column cluster_nodes.version is gone'],
    [sql`alter table projects alter column name type varchar(20)`, 'was text and is character varying(20)'],
    [
      sql`alter table cluster_nodes alter column version set not null`,
      'cluster_nodes.version is required now',
    ],
    [sql`alter table projects add column code integer not null`, 'column projects.code is new and required'],
    [
      sql`alter table projects alter column created_at drop default, add check (length(name) < 9)`,
      'there is a new limit on projects: CHECK',
    ],
    [
      sql`create unique index one_name on projects (name)`,
      'there is a new limit on projects: unique btree (name)',
    ],
    [
      sql`alter function cut_audit_log(bigint) rename to cut_log`,
      'function cut_audit_log(last_seal bigint) returns bigint is gone',
    ],
  ])('%#', async (statement, problem) => {
    expect(await changesOf(statement)).toContainEqual(expect.stringContaining(problem));
  });

  test('and additions are not', async () => {
    const additions = sql`
      create table more (id integer primary key, name text not null unique);
      alter table projects add column code integer not null default 0 check (code >= 0), add column note text;
      alter table cluster_nodes alter column joined_at drop not null;
      create index projects_by_code on projects (code);`;
    expect(await changesOf(additions)).toEqual([]);
  });
});

describe('a database that a newer release has migrated', () => {
  const ofTomorrow = (oldestRelease?: string): Record<string, HubMigration> => ({
    ...ours,
    '9999-of-tomorrow': {
      up: (at: Kysely<unknown>) =>
        sql`alter table projects add column later text`.execute(at).then(() => undefined),
      ...(oldestRelease === undefined ? {} : { oldestRelease }),
    },
  });
  const start = (release: string, migrations = ours) => migrate(db, { release, migrations });
  const node = (version_: string | null, secondsLeft: number) =>
    sql`
    insert into cluster_nodes (node_id, name, joined_at, lease_until, last_heartbeat_at, version)
      values ('n1', 'north', now(), now() + make_interval(secs => ${secondsLeft}), now(), ${version_})`.execute(
      db,
    );
  const undo = () =>
    sql`
      alter table projects drop column if exists later;
      delete from schema_migrations where name = '9999-of-tomorrow';
      update schema_compatibility set oldest_release = '0.1.0';
      delete from cluster_nodes`.execute(db);
  afterEach(undo);

  test('serves the release before it unless a migration says otherwise', async () => {
    await start('0.2.0', ofTomorrow());
    await start('0.1.0');
    await start('0.1.0');
  });

  test('is refused to a release that it does not suit any more, with what to do', async () => {
    await start('0.3.0', ofTomorrow('0.2.0'));
    await expect(start('0.1.9')).rejects.toThrow(
      'The database was upgraded for Corral 0.2.0 and newer, and this is 0.1.9: start one of those, or restore the backup from before the upgrade.',
    );
    await start('0.2.0');
    await start('0.10.0');
  });

  test('is not migrated beside a hub that could not go on, and is once that has left or is newer', async () => {
    await node('0.1.0', 60);
    await start('0.3.0', ofTomorrow());
    await undo();
    await node('0.1.0', 60);
    const contracting = () => start('0.3.0', ofTomorrow('0.2.0'));
    await expect(contracting()).rejects.toThrow(
      'Another hub (north, release 0.1.0) runs on this database, and this release changes it in a way that only 0.2.0 and newer can work with: upgrade all hubs to 0.2.0 first, or stop them.',
    );
    const later = await sql`select 1 from pg_attribute where attname = 'later' and not attisdropped`.execute(
      db,
    );
    expect(later.rows).toEqual([]);
    await sql`update cluster_nodes set version = '0.2.1'`.execute(db);
    await contracting();
    await start('0.2.1');
  });
});

test('every migration leaves the release before what its statements need, or says that it does not', async () => {
  await sql`drop schema public cascade; create schema public`.execute(db);
  await migrate(db, { migrations: pick((each) => each <= baseline) });
  let before = await readSchema(db);
  for (const name of names().filter((each) => each > baseline)) {
    await migrate(db, { migrations: pick((each) => each <= name) });
    const after = await readSchema(db);
    const breaking = breakingChanges(before, after).filter((change) => !(`${name}: ${change}` in reviewed));
    const { oldestRelease } = ours[name] ?? {};
    if (oldestRelease === undefined) expect(breaking, name).toEqual([]);
    else
      expect(isOlderRelease(version, oldestRelease), `${name} must not be for a later release`).toBe(false);
    before = after;
  }
});
