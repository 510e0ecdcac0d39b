import { ids, type Id } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { append, assetScene, callUrl, fileOf, type AssetScene } from '../../../test/asset-scene.ts';
import { doubleOfTest, twoHubs } from '../../../test/two-hubs.ts';
import { newRawId } from '../../auth/random.ts';
import { uploadPartBytes } from '../../domains/assets/storage/upload-parts.ts';

const most = 256;
let scene: AssetScene;
beforeAll(async () => void (scene = await assetScene()));
afterAll(() => scene[Symbol.asyncDispose]());

/** Unfinished uploads as if the owner of the repository had begun them. */
async function seedUnfinished(
  { hub, owner, repositoryId }: AssetScene,
  count: number,
): Promise<Id<'asset'>[]> {
  const at = new Date();
  const rows = Array.from({ length: count }, () => {
    const { digest } = fileOf(32);
    return {
      asset_id: newRawId(),
      repository_id: ids.repository.raw(repositoryId),
      digest: Buffer.from(digest.slice('sha256_'.length), 'hex'),
      size: 2,
      storage_key: digest,
      created_at: at,
      touched_at: at,
      begun_by: ids.user.raw(owner.userId),
    };
  });
  await hub.database.db.insertInto('assets').values(rows).execute();
  return rows.map(({ asset_id }) => ids.asset.of(asset_id));
}

test('a user may have so many unfinished uploads in parts, and goes on with these', async () => {
  await seedUnfinished(scene, most - 1);
  const [first, second] = [fileOf(1000), fileOf(1000)];
  const url = await scene.uploadUrl(await scene.create(first));
  expect((await append(url, 0, first.bytes.subarray(0, 1))).status).toBe(204);
  const secondUrl = await scene.uploadUrl(await scene.create(second));
  const refused = await append(secondUrl, 0, second.bytes.subarray(0, 1));
  expect([refused.status, JSON.parse(refused.bytes.toString()).message]).toEqual([
    429,
    'You have 256 unfinished uploads in parts. Finish some, or delete their assets, then try again.',
  ]);
  // The whole file at once needs no place, and those that were begun go on.
  expect((await callUrl(secondUrl, { method: 'PUT', body: second.bytes })).status).toBe(200);
  expect((await append(url, 1, first.bytes.subarray(1, 1000))).status).toBe(204);
  const third = fileOf(1000);
  expect(
    (await append(await scene.uploadUrl(await scene.create(third)), 0, third.bytes.subarray(0, 1))).status,
  ).toBe(204);
});

test('uploads to a store count, too, and deleted assets do not', async () => {
  const both = await twoHubs((await doubleOfTest()).settings);
  const [unfinished] = await seedUnfinished(both.scene, most);
  const file = fileOf(uploadPartBytes + 1);
  const url = await both.scene.uploadUrl(await both.scene.create(file));
  expect((await append(url, 0, file.bytes.subarray(0, 1))).status).toBe(429);
  await both.scene.call('repositories_DeleteAsset', {
    assetId: unfinished as Id<'asset'>,
  });
  expect((await append(url, 0, file.bytes.subarray(0, 1))).status).toBe(204);
});
