import { expect, inject, test } from 'vitest';
import { callUrl, fileOf, type TestFile } from '../../../test/asset-scene.ts';
import {
  create,
  mustCollect,
  mustRecover,
  mustServe,
  patch,
  put,
  statusOf,
} from '../../../test/hub-lives.ts';
import {
  directUrlsOf,
  finalize,
  inRounds,
  isOfAsset,
  killAfter,
  mustHaveNoLeak,
  storeLives,
  type StoreLives,
} from '../../../test/store-lives.ts';
import { uploadPartBytes } from '../../domains/assets/storage/upload-parts.ts';

const rounds = inject('figures').storeCrashRounds;
/** In two parts. */
const fileBytes = uploadPartBytes + 300_000;

/** Has the double kill the hub when it has received an object, before it stores it. */
function killBeforeStored({ store: { profile }, hubs: { hub } }: StoreLives): void {
  const { storesAfter } = profile;
  profile.storesAfter = async (key) => {
    if (!isOfAsset(key)) return;
    profile.storesAfter = storesAfter;
    await hub.kill();
  };
}

/** The numbers of the parts that the store receives during the work, in their order. */
async function partsSentDuring(
  { store: { requests } }: StoreLives,
  work: () => Promise<void>,
): Promise<number[]> {
  const before = requests.length;
  await work();
  return requests.slice(before).flatMap((line) => {
    const number = /^PUT .*[?&]partNumber=(\d+)/.exec(line)?.[1];
    return number === undefined ? [] : [Number(number)];
  });
}

test('a hub that dies at any step of an upload to a store, of its verification or of a deletion there loses and leaks nothing', async () => {
  const scene = await storeLives();
  const { hubs } = scene;
  await inRounds(rounds, scene, async () => {
    const assetIds = [];
    for (const orderKill of [killBeforeStored, (from: StoreLives) => killAfter(from, 'PUT')]) {
      const file = fileOf(300_000);
      const assetId = await create(hubs, file);
      orderKill(scene);
      await expect(put(hubs, assetId, file)).rejects.toThrow();
      await hubs.restart();
      await mustRecover(hubs, assetId, file, put);
      assetIds.push(assetId);
    }
    assetIds.push(await dieDuringVerification(scene));
    await dieDuringDeletion(scene);
    return assetIds;
  });
  await mustHaveNoLeak(scene);
});

async function dieDuringDeletion(scene: StoreLives): Promise<void> {
  const { hubs } = scene;
  const file = fileOf(300_000);
  const assetId = await create(hubs, file);
  expect(await put(hubs, assetId, file)).toBe(200);
  killAfter(scene, 'DELETE');
  await hubs.hub.invoke('repositories_DeleteAsset', { assetId }).catch(() => undefined);
  await hubs.restart();
  await mustCollect(hubs);
}

/** A client that uploaded to the store itself finalizes again when the hub died meanwhile. */
async function dieDuringVerification(scene: StoreLives): Promise<string> {
  const { hubs } = scene;
  const file = fileOf(300_000);
  const assetId = await create(hubs, file);
  await directUrlsOf(scene, assetId);
  const { verifiedUrl, headers } = await directUrlsOf(scene, assetId);
  expect((await callUrl(verifiedUrl, { method: 'PUT', headers, body: file.bytes })).status).toBe(200);
  killAfter(scene, 'HEAD');
  await mustBeFinalized(scene, assetId, file);
  return assetId;
}

/** The hub dies while it finalizes an upload, and then does it. */
async function mustBeFinalized(scene: StoreLives, assetId: string, file: TestFile): Promise<void> {
  const { hubs } = scene;
  await expect(finalize(scene, assetId)).rejects.toThrow();
  await hubs.restart();
  await expect.poll(() => finalize(scene, assetId).catch(String), { timeout: 120_000 }).toEqual({});
  expect(await statusOf(hubs, assetId)).toBe('Available');
  await mustServe(hubs, assetId, file);
}

/** A step of a resumable upload at which the hub dies, and the parts that are missing then. */
const resumableSteps = [
  { step: 'CreateMultipartUpload', missing: [1, 2] },
  { step: 'UploadPart', missing: [2] },
  { step: 'CompleteMultipartUpload', missing: [] },
] as const;

test('a hub that dies at any step of a resumable upload to a store goes on with what is missing, and leaks nothing', async () => {
  const scene = await storeLives();
  await inRounds(rounds, scene, async () => {
    const assetIds = [];
    for (const step of resumableSteps) assetIds.push(await dieDuringResumable(scene, step));
    return assetIds;
  });
  await mustHaveNoLeak(scene);
});

interface ResumableStep {
  readonly step: string;
  readonly missing: readonly number[];
}

async function dieDuringResumable(scene: StoreLives, { step, missing }: ResumableStep) {
  const { hubs } = scene;
  const file = fileOf(fileBytes);
  const assetId = await create(hubs, file);
  killAfter(scene, step);
  await expect(patch(hubs, assetId, file), step).rejects.toThrow();
  await hubs.restart();
  const sent = await partsSentDuring(scene, () => mustRecover(hubs, assetId, file, patch));
  expect(sent, step).toEqual(missing);
  return assetId;
}
