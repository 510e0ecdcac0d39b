import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createDiskStorage } from '../src/domains/assets/storage/disk/disk-storage.ts';
import type { StoreSettings } from '../src/domains/assets/storage/s3/store-settings.ts';
import { sweepStores } from '../src/domains/assets/jobs/sweep-stores.ts';
import { append, assetScene, type AssetScene, type TestFile } from './asset-scene.ts';
import { httpHub, type HttpHub, type HttpHubOptions } from './http-hub.ts';
import { s3Double, type Profile, type S3Double } from './s3-double/s3-double.ts';
import { storagesOf } from './test-storages.ts';
import { justProved } from './just-proved.ts';

/** Two hubs of one database with different data folders, and a repository in an object store. */
export interface TwoHubs {
  readonly scene: AssetScene;
  readonly hubs: readonly [HttpHub, HttpHub];
}

/** Starts both; the repository is in a store with these settings. The options are those of the first hub. */
export async function twoHubs(settings: StoreSettings, options: HttpHubOptions = {}): Promise<TwoHubs> {
  const both = await startTwoHubs(settings, options);
  onTestFinished(() => both[Symbol.asyncDispose]());
  return both;
}

/** The same, until they are disposed of. */
export async function startTwoHubs(
  settings: StoreSettings,
  options: HttpHubOptions = {},
): Promise<TwoHubs & AsyncDisposable> {
  const scene = await assetScene(options);
  const { database } = scene.hub;
  const folder = await mkdtemp(join(tmpdir(), 'corral-second-'));
  const storages = storagesOf(database.db, { disk: createDiskStorage(folder) });
  const other = await httpHub({ database, storages });
  await scene.useStore({ settings });
  return {
    scene,
    hubs: [scene.hub, other],
    async [Symbol.asyncDispose]() {
      await other[Symbol.asyncDispose]();
      await scene[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A double that ends with the test. */
export async function doubleOfTest(profile: Partial<Profile> = {}): Promise<S3Double> {
  const store = await s3Double(profile);
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

/** The owner of the repository as a caller. */
export const by = ({ owner }: AssetScene) => ({ actor: owner, origin: justProved });

/** The same signed URL at each hub. */
export async function begun({ scene, hubs }: TwoHubs, file: TestFile) {
  const assetId = await scene.create(file);
  const { pathname, search } = new URL(await scene.uploadUrl(assetId));
  return { assetId, urls: hubs.map(({ url }) => `${url}${pathname}${search}`) as [string, string] };
}

/** Sends bytes of a file as a part, and resolves with the status and the new offset. */
export async function appended(url: string, { bytes }: TestFile, start: number, end: number) {
  const { status, headers } = await append(url, start, bytes.subarray(start, end));
  return [status, Number(headers['upload-offset'])];
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
