import { expect, onTestFinished } from 'vitest';
import { storagesOf } from './test-storages.ts';
import { fileWith } from './asset-scene.ts';
import { daysLater, lives, mustCollect, sweptKeys, type Lives } from './hub-lives.ts';
import { s3Double, type S3Double } from './s3-double/s3-double.ts';

/** A store, and a hub that keeps its assets there and dies many times. */
export interface StoreLives {
  readonly store: S3Double;
  readonly hubs: Lives;
}

/** Starts the store and the first hub; both end with the test. */
export async function storeLives(): Promise<StoreLives> {
  const store = await s3Double();
  onTestFinished(() => store[Symbol.asyncDispose]());
  const { endpoint, bucket, accessKeyId, secretAccessKey } = store.settings;
  const hubs = await lives({
    CORRAL_S3_ENDPOINT: endpoint,
    CORRAL_S3_BUCKET: bucket,
    CORRAL_S3_ACCESS_KEY_ID: accessKeyId,
    CORRAL_S3_SECRET_ACCESS_KEY: secretAccessKey,
  });
  return { store, hubs };
}

/** A hub checks its store with small objects of other names. */
export const isOfAsset = (key: string): boolean => key.includes('/sha256/');

/** Has the double kill the hub at the next such operation that it has done, before it answers. */
export function killAfter({ store, hubs: { hub } }: StoreLives, operation: string, ofKey = isOfAsset): void {
  const { profile } = store;
  const { answersAfter } = profile;
  profile.answersAfter = async (done, key) => {
    if (done !== operation || !ofKey(key)) return;
    profile.answersAfter = answersAfter;
    await hub.kill();
  };
}

/** Runs a step of each round; the assets of all rounds but the last are deleted, so that the memory of the double suffices. */
export async function inRounds(
  rounds: number,
  { hubs }: StoreLives,
  round: () => Promise<string[]>,
): Promise<void> {
  for (let index = 0; index < rounds; index += 1) {
    const assetIds = await round();
    if (index === rounds - 1) return;
    for (const assetId of assetIds) await hubs.hub.invoke('repositories_DeleteAsset', { assetId });
    await mustCollect(hubs);
  }
}

/** Behind the sweep the store has the right bytes of each asset, and nothing else. */
export async function mustHaveNoLeak({ store, hubs }: StoreLives): Promise<void> {
  // It may just be checking its store.
  await hubs.hub.kill();
  const { db } = hubs.database;
  const readStore = async () => ({ settings: store.settings, owner: 'instance' }) as const;
  const keys = await sweptKeys(db, storagesOf(db, { now: daysLater, readStore }));
  expect([...store.objects.keys()].toSorted()).toEqual(keys);
  expect(store.uploads.size).toBe(0);
  for (const [key, { bytes }] of store.objects)
    expect(fileWith(bytes).digest).toBe(`sha256_${key.split('/').at(-1)}`);
}

/** Issues URLs to the store; until a hub has checked that, all bytes go through the hub. */
export async function directUrlsOf({ store, hubs }: StoreLives, assetId: string) {
  const { origin } = new URL(store.settings.endpoint);
  const issue = async () =>
    (await hubs.hub.invoke('repositories_IssueAssetUploadUrl', { assetId })) as {
      verifiedUrl: string;
      headers: Record<string, string>;
    };
  await expect.poll(async () => new URL((await issue()).verifiedUrl).origin).toBe(origin);
  return issue();
}

/** Finalizes an upload. */
export const finalize = ({ hubs }: StoreLives, assetId: string) =>
  hubs.hub.invoke('repositories_FinalizeAssetUpload', { assetId });
