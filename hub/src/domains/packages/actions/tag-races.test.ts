import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import {
  seedAsset,
  seedPackage,
  seedRepository,
  seedVersion,
  type SeededRepository,
} from '../../../../test/seed-repository.ts';

let hub: FreshExecutor;
let repository: SeededRepository;
beforeAll(async () => {
  hub = await freshExecutor();
  repository = await seedRepository(hub);
});
afterAll(() => hub[Symbol.asyncDispose]());

let packages = 0;
const newPackage = () => seedPackage(hub, repository, `image-${(packages += 1)}`);
const newVersion = (packageId: Id<'package'>) => seedVersion(hub, repository.owner, packageId);
interface Tag {
  readonly tag: string;
  readonly locked?: boolean;
  readonly reassign?: boolean;
}
const tag = (versionId: Id<'packageVersion'>, one: Tag) =>
  hub.as(repository.owner, 'repositories_TagPackageVersion', { versionId, tags: [one] });
/** The version that a tag points at; the names of the tags differ between packages. */
const pointedAtBy = async (name: string) => {
  const row = await hub.database.db
    .selectFrom('package_tags')
    .select('version_id')
    .where('tag', '=', name)
    .executeTakeFirst();
  return row && ids.packageVersion.of(row.version_id);
};

const rounds = inject('figures').tagRaces;

test('when a move and a lock race, the lock holds or was too late', async () => {
  const packageId = await newPackage();
  const [one, two] = [await newVersion(packageId), await newVersion(packageId)];
  let locked = 0;
  for (let round = 0; round < rounds; round += 1) {
    const name = `v${round}`;
    await tag(one, { tag: name });
    const move = () => tag(two, { tag: name });
    const lock = () => tag(one, { tag: name, locked: true, reassign: false });
    // Each begins first every other time, since that one mostly wins.
    const begun = round % 2 === 0 ? [move(), lock()] : [lock(), move()].toReversed();
    const outcome = (await Promise.allSettled(begun)).map(({ status }) => status).join();
    const current = await pointedAtBy(name);
    if (outcome === 'rejected,fulfilled') {
      locked += 1;
      expect(current).toBe(one);
    } else {
      expect(outcome).toBe('fulfilled,rejected');
      expect(current).toBe(two);
    }
    await hub.database.db.deleteFrom('package_tags').where('tag', '=', name).execute();
  }
  expect(locked).toBeGreaterThan(0);
}, 180_000);

test('the list of packages has the newest version and its name, whatever is renamed, added and deleted at the same time', async () => {
  const packageId = await newPackage();
  const as = hub.as.bind(null, repository.owner);
  let [versionId] = [await newVersion(packageId)];
  for (let round = 0; round < rounds; round += 1) {
    hub.advance(1);
    const next = await newVersion(packageId);
    const settled = await Promise.allSettled([
      as('repositories_SetVersionName', { versionId, name: `old ${round}` }),
      as('repositories_SetVersionName', { versionId: next, name: `new ${round}` }),
      round % 2 === 0
        ? as('repositories_DeletePackageVersion', { versionId: next })
        : as('repositories_CreatePackageVersion', { packageId, name: `added ${round}` }),
    ]);
    for (const outcome of settled)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ kind: 'Invalid' });
    const { rows } = await sql<{ shown: string; newest: string; id: string }>`
      select p.newest_version_id || p.newest_at || p.newest_key as shown, v.version_id as id,
        v.version_id || v.created_at || name_key(coalesce(v.name, v.version_id)) as newest
      from packages p join lateral (
        select * from package_versions v where v.package_id = p.package_id order by created_at desc, version_id desc limit 1
      ) as v on true where p.package_id = ${ids.package.raw(packageId)}`.execute(hub.database.db);
    const [found] = rows;
    expect(found?.shown).toBe(found?.newest);
    versionId = ids.packageVersion.of(found?.id ?? '');
  }
}, 180_000);

test('when two jobs publish the same version, one wins and the other leaves nothing', async () => {
  const packageId = await newPackage();
  const publish = (name: string) =>
    hub.as(repository.owner, 'repositories_CreatePackageVersion', {
      packageId,
      name,
      tags: [{ tag: name, locked: true, reassign: false }, { tag: 'latest' }],
    });
  for (let round = 0; round < rounds; round += 1) {
    const jobs = await Promise.allSettled([publish(`r${round}`), publish(`r${round}`)]);
    expect(jobs.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  }
  const { rows } = await sql<{ versions: number; counted: number; tags: number; moves: number }>`
    select (select count(*) from package_versions where package_id = ${ids.package.raw(packageId)}) as versions,
      (select version_count from packages where package_id = ${ids.package.raw(packageId)}) as counted,
      (select count(*) from package_tags where package_id = ${ids.package.raw(packageId)}) as tags,
      (select count(*) from package_tag_moves where package_id = ${ids.package.raw(packageId)}) as moves`.execute(
    hub.database.db,
  );
  expect(rows[0]).toEqual({ versions: rounds, counted: rounds, tags: rounds + 1, moves: 2 * rounds });
}, 180_000);

test('when a version is deleted while a tag is locked on it, either the tag or the version is gone', async () => {
  const packageId = await newPackage();
  for (let round = 0; round < rounds; round += 1) {
    const versionId = await newVersion(packageId);
    const [deletion, lock] = await Promise.allSettled([
      hub.as(repository.owner, 'repositories_DeletePackageVersion', { versionId }),
      tag(versionId, { tag: `d${round}`, locked: true }),
    ]);
    expect([deletion.status, lock.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await pointedAtBy(`d${round}`)).toBe(lock.status === 'fulfilled' ? versionId : undefined);
  }
}, 180_000);

test('when a file is attached while its version is deleted, either both are there or neither', async () => {
  const packageId = await newPackage();
  const assetId = await seedAsset(hub, repository);
  for (let round = 0; round < rounds; round += 1) {
    const versionId = await newVersion(packageId);
    const attach = (filename: string) =>
      hub.as(repository.owner, 'repositories_AddPackageVersionAsset', { versionId, assetId, filename });
    await attach('first');
    const [attached, deleted] = await Promise.allSettled([
      attach('second'),
      hub.as(repository.owner, 'repositories_DeletePackageVersion', { versionId }),
    ]);
    expect(deleted.status).toBe('fulfilled');
    if (attached.status === 'rejected') expect(String(attached.reason)).toContain('Version not found.');
  }
  const { rows } = await sql`select 1 from version_assets`.execute(hub.database.db);
  expect(rows).toEqual([]);
}, 180_000);
