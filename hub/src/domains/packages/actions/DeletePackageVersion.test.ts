import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import {
  seedAsset,
  seedPackage,
  seedRepository,
  seedVersion,
  type SeededRepository,
} from '../../../../test/seed-repository.ts';
import { lockPackage } from '../../repositories/sql/repository-locks.ts';

let hub: FreshExecutor;
let repository: SeededRepository;
beforeAll(async () => {
  hub = await freshExecutor();
  repository = await seedRepository(hub);
});
afterAll(() => hub[Symbol.asyncDispose]());

async function versionWith(name: string, assetIds: readonly Id<'asset'>[]): Promise<Id<'packageVersion'>> {
  const versionId = await seedVersion(hub, repository.owner, await seedPackage(hub, repository, name));
  for (const [index, assetId] of assetIds.entries()) {
    const file = { versionId, assetId, filename: `file ${index + 10}` };
    await hub.as(repository.owner, 'repositories_AddPackageVersionAsset', file);
  }
  return versionId;
}

/** How many statements of the database wait for a lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(hub.database.db);
  return rows[0]?.count ?? 0;
}

test('two deletions of versions with the same assets lock these in one order', async () => {
  const assetIds: Id<'asset'>[] = [];
  for (let count = 0; count < 20; count += 1) assetIds.push(await seedAsset(hub, repository));
  const versions = [await versionWith('one', assetIds), await versionWith('other', assetIds.toReversed())];
  // With its statistics, PostgreSQL reads them in the order in which they were made.
  await sql`analyze assets, version_assets`.execute(hub.database.db);
  const rawIds = assetIds.map((assetId) => ids.asset.raw(assetId));
  const { rows } = await sql<{ asset_id: string }>`
    select asset_id from assets where asset_id = any(${rawIds}) order by digest`.execute(hub.database.db);
  const [first = '', ...others] = rows.map(({ asset_id }) => asset_id);
  const deletions = await hub.database.db.transaction().execute(async (tx) => {
    await sql`select from assets where asset_id = ${first} for update`.execute(tx);
    const started = versions.map((versionId) =>
      hub.as(repository.owner, 'repositories_DeletePackageVersion', { versionId }),
    );
    await vi.waitFor(async () => expect(await countWaiting()).toBe(2));
    const free = await sql`select from assets where asset_id = any(${others}) for update skip locked`.execute(
      tx,
    );
    expect(free.rows).toHaveLength(others.length);
    return started;
  });
  await Promise.all(deletions);
});

test('a version that is deleted only if it is untagged stays when it was tagged meanwhile', async () => {
  const { owner } = repository;
  const packageId = await seedPackage(hub, repository, 'adopted');
  const versionId = await seedVersion(hub, owner, packageId);
  const remove = { versionId, onlyIfUntagged: true };
  const [deletion] = await hub.database.db.transaction().execute(async (tx) => {
    await lockPackage(tx, ids.package.raw(packageId));
    const started = hub.refusal(owner, 'repositories_DeletePackageVersion', remove);
    await vi.waitFor(async () => expect(await countWaiting()).toBe(1));
    await sql`
      insert into package_tags (package_id, tag, version_id, locked, tagged_at)
      values (${ids.package.raw(packageId)}, 'nightly', ${ids.packageVersion.raw(versionId)}, false, ${hub.now()})`.execute(
      tx,
    );
    return [started];
  });
  expect(await deletion).toEqual({
    kind: 'Invalid',
    message: 'The tag nightly points at this version, so it stays.',
  });
  await hub.as(owner, 'repositories_UntagPackageVersion', { versionId, tags: [{ tag: 'nightly' }] });
  await hub.as(owner, 'repositories_DeletePackageVersion', remove);
});
