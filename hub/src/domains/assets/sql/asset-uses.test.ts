import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import {
  seedAsset,
  seedCatalogue,
  seedPackage,
  seedVersion,
  type Catalogue,
} from '../../../../test/seed-repository.ts';
import { foldAssetUses } from './asset-uses.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

const fold = () => hub.database.db.transaction().execute(foldAssetUses);

/** The number of files of each asset, as it is shown; compared with the rows. */
async function shownUses({ owner, repositoryId }: Catalogue): Promise<Record<string, number>> {
  const { assets } = await hub.as(owner, 'repositories_QueryRepositoryAssets', { repositoryId });
  const shown = Object.fromEntries(assets.map(({ assetId, referenceCount }) => [assetId, referenceCount]));
  const { rows } = await sql<{ id: string; uses: number }>`
    select asset_id as id, (select count(*) from version_assets v where v.asset_id = a.asset_id)
      + (select count(*) from package_assets p where p.asset_id = a.asset_id) as uses
    from assets a where repository_id = ${ids.repository.raw(repositoryId)}`.execute(hub.database.db);
  expect(shown).toEqual(Object.fromEntries(rows.map(({ id, uses }) => [ids.asset.of(id), uses])));
  return shown;
}

/** The counts that the list is sorted by. */
async function foldedUses(): Promise<Record<string, number>> {
  const { rows } = await sql<{
    id: string;
    uses: number;
  }>`select asset_id as id, reference_count as uses from assets`.execute(hub.database.db);
  return Object.fromEntries(rows.map(({ id, uses }) => [ids.asset.of(id), uses]));
}

const changes = async () =>
  (await sql<{ id: string }>`select asset_id as id from asset_use_changes`.execute(hub.database.db)).rows;

test('the uses of an asset are its files, before and after they are folded, however these went', async () => {
  const catalogue = await seedCatalogue(hub);
  const { repository, owner, packageId, versionId, assetId } = catalogue;
  const other = await seedAsset(hub, repository);
  const second = await seedPackage(hub, repository, 'second');
  const ofSecond = await seedVersion(hub, owner, second, 'v1');
  const attach = (to: Id<'packageVersion'>, filename: string, id: Id<'asset'>) =>
    hub.as(owner, 'repositories_AddPackageVersionAsset', { versionId: to, assetId: id, filename });
  await attach(versionId, 'y', other);
  await attach(ofSecond, 'x', assetId);
  await attach(ofSecond, 'y', assetId);
  const expectUses = async (uses: Record<string, number>) => {
    expect(await shownUses(catalogue)).toEqual(uses);
    await fold();
    expect(await shownUses(catalogue)).toEqual(uses);
    expect(await foldedUses()).toMatchObject(uses);
    expect(await changes()).toEqual([]);
  };
  await expectUses({ [assetId]: 4, [other]: 1 });
  await hub.as(owner, 'repositories_RemovePackageAsset', { packageId, filename: 'x' });
  await expectUses({ [assetId]: 3, [other]: 1 });
  await hub.as(owner, 'repositories_DeletePackage', { packageId: second });
  await expectUses({ [assetId]: 1, [other]: 1 });
});

test('an asset that somebody has locked keeps its changes for the next fold, and holds up none', async () => {
  const catalogue = await seedCatalogue(hub);
  const { repository, owner, versionId, assetId } = catalogue;
  const free = await seedAsset(hub, repository);
  await hub.as(owner, 'repositories_AddPackageVersionAsset', { versionId, assetId: free, filename: 'free' });
  await hub.database.db.transaction().execute(async (tx) => {
    await sql`select 1 from assets where asset_id = ${ids.asset.raw(assetId)} for update`.execute(tx);
    await fold();
    expect(await foldedUses()).toMatchObject({ [assetId]: 0, [free]: 1 });
    expect(await shownUses(catalogue)).toEqual({ [assetId]: 2, [free]: 1 });
  });
  await fold();
  expect(await foldedUses()).toMatchObject({ [assetId]: 2, [free]: 1 });
});

test('folds at the same time count each change once', async () => {
  const catalogue = await seedCatalogue(hub);
  await Promise.all([fold(), fold(), fold(), shownUses(catalogue)]);
  expect(await shownUses(catalogue)).toEqual({ [catalogue.assetId]: 2 });
  expect(await changes()).toEqual([]);
});
