import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Id } from '@corral/contract';
import { expect, onTestFinished } from 'vitest';
import { createDiskStorage } from '../src/domains/assets/storage/disk/disk-storage.ts';
import type { StoreSettings } from '../src/domains/assets/storage/s3/store-settings.ts';
import { sweepStores } from '../src/domains/assets/jobs/sweep-stores.ts';
import { assetScene, callUrl, type AssetScene, type TestFile } from './asset-scene.ts';
import { httpHub, type HttpHub, type HttpHubOptions } from './http-hub.ts';
import { s3Double, type Profile, type S3Double } from './s3-double/s3-double.ts';
import { storagesOf } from './test-storages.ts';

/** Two hubs of one database with different data folders, and a repository in an object store. */
export interface TwoHubs {
  readonly scene: AssetScene;
  readonly hubs: readonly [HttpHub, HttpHub];
}

/** Starts both; the repository is in a store with these settings. The options are those of the first hub. */
export async function twoHubs(settings: StoreSettings, options: HttpHubOptions = {}): Promise<TwoHubs> {
  const scene = await assetScene(options);
  const { database } = scene.hub;
  const folder = await mkdtemp(join(tmpdir(), 'corral-second-'));
  const storages = storagesOf(database.db, { disk: createDiskStorage(folder) });
  const other = await httpHub({ database, storages });
  onTestFinished(async () => {
    await other[Symbol.asyncDispose]();
    await scene[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  const s3Config = { region: 'us-east-1', ...settings };
  const { repositoryId } = scene;
  await scene.hub.executor.invoke(by(scene), 'repositories_SetS3Config', { repositoryId, s3Config });
  return { scene, hubs: [scene.hub, other] };
}

/** A double that ends with the test. */
export async function doubleOfTest(profile: Partial<Profile> = {}): Promise<S3Double> {
  const store = await s3Double(profile);
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

/** The owner of the repository as a caller. */
export const by = ({ owner }: AssetScene) => ({ actor: owner, origin: {} });
const tus = { 'tus-resumable': '1.0.0' };

/** The same signed URL at each hub. */
export async function begun({ scene, hubs }: TwoHubs, file: TestFile) {
  const assetId = await scene.create(file);
  const { pathname, search } = new URL(await scene.uploadUrl(assetId));
  return { assetId, urls: hubs.map(({ url }) => `${url}${pathname}${search}`) as [string, string] };
}

/** How far an upload is. */
export async function offsetOf(url: string): Promise<number> {
  const { status, headers } = await callUrl(url, { method: 'HEAD', headers: tus });
  expect(status).toBe(200);
  return Number(headers['upload-offset']);
}

/** Sends bytes of a file and resolves with the status and the new offset. */
export async function append(url: string, file: TestFile, start: number, end: number, more = {}) {
  const { status, headers } = await sendBytes(url, file, start, end, more);
  return [status, Number(headers['upload-offset'])];
}

/** Sends bytes of a file and resolves with the answer. */
export function sendBytes(url: string, { bytes }: TestFile, start: number, end: number, more = {}) {
  const headers = {
    ...tus,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': start,
    ...more,
  };
  return callUrl(url, { method: 'PATCH', headers, body: bytes.subarray(start, end) });
}

/** Expects an asset to be available with these bytes. */
export async function mustBeServed(scene: AssetScene, assetId: Id<'asset'>, file: TestFile): Promise<void> {
  expect(await scene.details(assetId)).toMatchObject({
    status: 'Available',
    storage: { status: 'Verified' },
  });
  const input = { assetId };
  const { url } = await scene.hub.executor.invoke(by(scene), 'repositories_IssueAssetDownloadUrl', input);
  expect((await callUrl(url)).bytes.equals(file.bytes)).toBe(true);
  const { total } = await scene.hub.executor.invoke(by(scene), 'repositories_GetAssetChunks', input);
  expect(total).toBe(Math.ceil(file.bytes.length / 1_048_576));
}

/** The keys of a double with the bytes of a file. */
export const objectsOf = ({ objects }: S3Double, { digest }: TestFile): string[] =>
  [...objects.keys()].filter((key) => key.endsWith(digest.slice('sha256_'.length)));

/** Removes what uploads left behind, at this time. */
export const sweep = ({ hubs: [{ executor }], scene }: TwoHubs, now: string): Promise<void> =>
  sweepStores({
    executor,
    storages: storagesOf(scene.hub.database.db),
    now: () => new Date(now),
  });
