import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedAsset, seedPackage, seedRepository, seedVersion } from '../../../../test/seed-repository.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

/** A version with so many files that each have the same metadata, as they were stored before metadata was measured in the database. */
async function versionWith(files: number, metadata: string) {
  const repository = await seedRepository(hub);
  const { owner } = repository;
  const versionId = await seedVersion(hub, owner, await seedPackage(hub, repository));
  const assetId = await seedAsset(hub, repository);
  await sql`
    insert into version_assets (version_id, filename, asset_id, metadata, added_at)
    select ${ids.packageVersion.raw(versionId)}, 'file ' || i, ${ids.asset.raw(assetId)}, ${metadata}::jsonb, now()
    from generate_series(1, ${files}::int) i`.execute(hub.database.db);
  return { owner, versionId };
}

test('files whose metadata is larger in the database than an answer may be are refused unread', async () => {
  const metadata = JSON.stringify({ samples: Array.from({ length: 500 }, () => 5e-324) });
  const { owner, versionId } = await versionWith(60, metadata);
  const message =
    'The metadata of the files of this version is too large to be read at once. Replace that of some files.';
  const details = { versionId };
  expect(await hub.refusal(owner, 'repositories_GetPackageVersionDetails', details)).toMatchObject({
    kind: 'Invalid',
    message,
  });
  const both = { fromVersionId: versionId, toVersionId: versionId };
  expect((await hub.as(owner, 'repositories_CompareVersions', both)).files).toHaveLength(60);
});

test('1,000 files with the longest metadata are read', async () => {
  const { owner, versionId } = await versionWith(1000, JSON.stringify({ note: 'x'.repeat(4_085) }));
  const { assets } = await hub.as(owner, 'repositories_GetPackageVersionDetails', { versionId });
  expect(assets).toHaveLength(1000);
  expect(assets[0]?.metadata).toEqual({ note: 'x'.repeat(4_085) });
});
