import type { Id } from '@corral/contract';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { assetScene, fileOf, put, type AssetScene, type TestFile } from '../../../test/asset-scene.ts';
import { collectAssets, deleteMarkedAssets } from '../../domains/assets/jobs/collect-assets.ts';

const rounds = inject('figures').assetRaces;
const twoDays = 2 * 86_400;

let scene: AssetScene;
let packageId: Id<'package'>;
beforeAll(async () => {
  scene = await assetScene();
  const named = { repositoryId: scene.repositoryId, name: 'image' };
  const created = await scene.call('repositories_CreatePackage', named);
  if (created.result === 'Created') ({ packageId } = created);
});
afterAll(() => scene[Symbol.asyncDispose]());

const statusOf = async (url: string, file: TestFile) => (await put(url, file)).status;

async function eachRound(round: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < rounds; index += 1) await round(index);
}

/** Uploads as a client does that begins again when the hub says so. */
async function uploadWithRetries(file: TestFile): Promise<Id<'asset'>> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const assetId = await scene.create(file);
    const url = await scene.uploadUrl(assetId).catch(() => undefined);
    if (url !== undefined && (await statusOf(url, file)) === 200) return assetId;
  }
  throw new Error('The upload never succeeded.');
}

test('two identical uploads at once: each is stored, or told to come again', async () => {
  await eachRound(async () => {
    const file = fileOf(150_000);
    const { assetId, url } = await scene.begin(file);
    const statuses = await Promise.all([statusOf(url, file), statusOf(url, file)]);
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 409]).toContain(status);
    await scene.mustServe(assetId, file);
  });
});

test('an upload of what is being collected ends with bytes that are served', async () => {
  await eachRound(async () => {
    const file = fileOf(5_000);
    await scene.upload(file);
    scene.hub.advance(twoDays);
    const [assetId] = await Promise.all([uploadWithRetries(file), collectAssets(scene.hub)]);
    await scene.mustServe(assetId, file);
  });
});

test('an asset that is attached while it is collected is kept with its bytes, or refused', async () => {
  await eachRound(async (index) => {
    const file = fileOf(5_000);
    const assetId = await scene.upload(file);
    scene.hub.advance(twoDays);
    const attaching = scene
      .call('repositories_AddPackageAsset', { packageId, assetId, filename: `file ${index}` })
      .catch((error: unknown) => error as Error);
    const [attached] = await Promise.all([attaching, collectAssets(scene.hub)]);
    if (attached instanceof Error) return void expect(attached.message).toMatch(/not found|being deleted/);
    await scene.mustServe(assetId, file);
    await scene.call('repositories_RemovePackageAsset', {
      packageId,
      filename: `file ${index}`,
    });
  });
});

test('an asset that is created again while its bytes are deleted gets new ones', async () => {
  await eachRound(async () => {
    const file = fileOf(5_000);
    const assetId = await scene.upload(file);
    await scene.call('repositories_DeleteAsset', { assetId });
    const [again] = await Promise.all([uploadWithRetries(file), deleteMarkedAssets(scene.hub)]);
    await scene.mustServe(again, file);
  });
});

test('a retry with wrong bytes does not harm one with the right ones', async () => {
  await eachRound(async () => {
    const file = fileOf(150_000);
    const { assetId, url } = await scene.begin(file);
    const [right, wrong] = await Promise.all([uploadWithRetries(file), statusOf(url, fileOf(150_000))]);
    expect(right).toBe(assetId);
    expect([409, 422]).toContain(wrong);
    await scene.mustServe(assetId, file);
    const leases = scene.hub.database.db.selectFrom('assets').select('upload_lease');
    const held = leases.where('upload_lease', 'is not', null);
    await expect.poll(() => held.execute()).toEqual([]);
  });
});
