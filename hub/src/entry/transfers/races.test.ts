import { ids, type Id } from '@corral/contract';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { assetScene, callUrl, fileOf, type AssetScene, type TestFile } from '../../../test/asset-scene.ts';
import { collectAssets, deleteMarkedAssets } from '../../domains/assets/jobs/collect-assets.ts';

const rounds = inject('figures').assetRaces;
const twoDays = 2 * 86_400;

let scene: AssetScene;
let packageId: Id<'package'>;
beforeAll(async () => {
  scene = await assetScene();
  const named = { repositoryId: scene.repositoryId, name: 'image' };
  const created = await scene.hub.executor.invoke(owner(), 'repositories_CreatePackage', named);
  if (created.result === 'Created') ({ packageId } = created);
});
afterAll(() => scene[Symbol.asyncDispose]());

const owner = () => ({ actor: scene.owner, origin: {} });
const put = async (url: string, body: Buffer): Promise<number> =>
  (await callUrl(url, { method: 'PUT', body })).status;

async function mustBeServed(assetId: Id<'asset'>, file: TestFile): Promise<void> {
  const { status, bytes } = await callUrl(await scene.downloadUrl(assetId));
  expect([status, bytes.equals(file.bytes)]).toEqual([200, true]);
}

async function eachRound(round: (index: number) => Promise<void>): Promise<void> {
  for (let index = 0; index < rounds; index += 1) await round(index);
}

/** Uploads as a client does that begins again when the hub says so. */
async function uploadWithRetries(file: TestFile): Promise<Id<'asset'>> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const assetId = await scene.create(file);
    const url = await scene.uploadUrl(assetId).catch(() => undefined);
    if (url !== undefined && (await put(url, file.bytes)) === 200) return assetId;
  }
  throw new Error('The upload never succeeded.');
}

test('two identical uploads at once: each is stored, or told to come again', async () => {
  await eachRound(async () => {
    const file = fileOf(150_000);
    const assetId = await scene.create(file);
    const url = await scene.uploadUrl(assetId);
    const statuses = await Promise.all([put(url, file.bytes), put(url, file.bytes)]);
    expect(statuses).toContain(200);
    for (const status of statuses) expect([200, 409]).toContain(status);
    await mustBeServed(assetId, file);
  });
});

test('an upload of what is being collected ends with bytes that are served', async () => {
  await eachRound(async () => {
    const file = fileOf(5_000);
    await scene.upload(file);
    scene.hub.advance(twoDays);
    const [assetId] = await Promise.all([uploadWithRetries(file), collectAssets(scene.hub)]);
    await mustBeServed(assetId, file);
  });
});

test('an asset that is attached while it is collected is kept with its bytes, or refused', async () => {
  await eachRound(async (index) => {
    const file = fileOf(5_000);
    const assetId = await scene.upload(file);
    scene.hub.advance(twoDays);
    const attaching = scene.hub.executor
      .invoke(owner(), 'repositories_AddPackageAsset', { packageId, assetId, filename: `file ${index}` })
      .catch((error: unknown) => error as Error);
    const [attached] = await Promise.all([attaching, collectAssets(scene.hub)]);
    if (attached instanceof Error) return void expect(attached.message).toMatch(/not found|being deleted/);
    await mustBeServed(assetId, file);
    await scene.hub.executor.invoke(owner(), 'repositories_RemovePackageAsset', {
      packageId,
      filename: `file ${index}`,
    });
  });
});

test('an asset that is created again while its bytes are deleted gets new ones', async () => {
  await eachRound(async () => {
    const file = fileOf(5_000);
    const assetId = await scene.upload(file);
    await scene.hub.executor.invoke(owner(), 'repositories_DeleteAsset', { assetId });
    const [again] = await Promise.all([uploadWithRetries(file), deleteMarkedAssets(scene.hub)]);
    await mustBeServed(again, file);
  });
});

test('a retry with wrong bytes does not harm one with the right ones', async () => {
  await eachRound(async () => {
    const file = fileOf(150_000);
    const assetId = await scene.create(file);
    const url = await scene.uploadUrl(assetId);
    const [right, wrong] = await Promise.all([uploadWithRetries(file), put(url, fileOf(150_000).bytes)]);
    expect(right).toBe(assetId);
    expect([409, 422]).toContain(wrong);
    await mustBeServed(assetId, file);
    const { db } = scene.hub.database;
    const lease = db
      .selectFrom('assets')
      .select('upload_lease')
      .where('asset_id', '=', ids.asset.raw(assetId));
    await expect.poll(async () => (await lease.executeTakeFirst())?.upload_lease).toBeNull();
  });
});
