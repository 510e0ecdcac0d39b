import { createHash } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { callUrl, fileOf, type TestFile } from '../../test/asset-scene.ts';
import { create, mustServe, statusOf } from '../../test/hub-lives.ts';
import {
  directUrlsOf,
  finalize,
  inRounds,
  killAfter,
  mustHaveNoLeak,
  storeLives,
  type StoreLives,
} from '../../test/store-lives.ts';
import { uploadPartBytes } from '../assets/upload-parts.ts';

const rounds = inject('figures').partCrashRounds;
/** In two parts. */
const fileBytes = uploadPartBytes + 300_000;

test('a hub that dies at any step of an upload in parts, which a client sends to the store, goes on with what is missing, and leaks nothing', async () => {
  const scene = await storeLives();
  await inRounds(rounds, scene, async () => [
    await dieDuringStart(scene),
    await dieDuringParts(scene),
    await dieDuringJoin(scene, 'CompleteMultipartUpload'),
    await dieDuringJoin(scene, 'HEAD'),
    await dieBeforeWrongPartsAreFound(scene),
  ]);
  await mustHaveNoLeak(scene);
});

/** Sends the parts that the store does not have. Resolves with their numbers. */
async function sendParts({ hubs }: StoreLives, assetId: string, { bytes }: TestFile): Promise<number[]> {
  const partOf = (number: number) => bytes.subarray((number - 1) * uploadPartBytes, number * uploadPartBytes);
  const wanted = [1, 2].map((number) => ({
    number,
    digest: `sha256_${createHash('sha256').update(partOf(number)).digest('hex')}`,
  }));
  const issued = await hubs.hub.invoke('repositories_IssueAssetPartUrls', { assetId, parts: wanted });
  const sent = [];
  for (const { number, url, headers = {} } of issued['parts'] as IssuedPart[]) {
    if (url === undefined) continue;
    expect((await callUrl(url, { method: 'PUT', headers, body: partOf(number) })).status).toBe(200);
    sent.push(number);
  }
  return sent;
}

interface IssuedPart {
  readonly number: number;
  /** Absent for a part that the store has. */
  readonly url?: string;
  readonly headers?: Record<string, string>;
}

async function begun(scene: StoreLives): Promise<{ assetId: string; file: TestFile }> {
  const file = fileOf(fileBytes);
  const assetId = await create(scene.hubs, file);
  await directUrlsOf(scene, assetId);
  return { assetId, file };
}

async function mustGoOn(
  scene: StoreLives,
  assetId: string,
  file: TestFile,
  missing: number[],
): Promise<void> {
  await directUrlsOf(scene, assetId);
  expect(await sendParts(scene, assetId, file)).toEqual(missing);
  await expect.poll(() => finalize(scene, assetId).catch(String), { timeout: 120_000 }).toEqual({});
  expect(await statusOf(scene.hubs, assetId)).toBe('Available');
  await mustServe(scene.hubs, assetId, file);
}

async function dieDuringStart(scene: StoreLives): Promise<string> {
  const { assetId, file } = await begun(scene);
  killAfter(scene, 'CreateMultipartUpload');
  await expect(sendParts(scene, assetId, file)).rejects.toThrow();
  await scene.hubs.restart();
  await mustGoOn(scene, assetId, file, [1, 2]);
  return assetId;
}

/** The store takes the rest, since its URLs do not lead through the hub. */
async function dieDuringParts(scene: StoreLives): Promise<string> {
  const { assetId, file } = await begun(scene);
  killAfter(scene, 'UploadPart');
  expect(await sendParts(scene, assetId, file)).toEqual([1, 2]);
  await scene.hubs.restart();
  await mustGoOn(scene, assetId, file, []);
  return assetId;
}

async function dieDuringJoin(scene: StoreLives, step: string): Promise<string> {
  const { assetId, file } = await begun(scene);
  await sendParts(scene, assetId, file);
  killAfter(scene, step);
  await expect(finalize(scene, assetId), step).rejects.toThrow();
  await scene.hubs.restart();
  await mustGoOn(scene, assetId, file, []);
  return assetId;
}

/** Parts of other bytes become an object, whose bytes no hub has compared with the digest yet. */
async function dieBeforeWrongPartsAreFound(scene: StoreLives): Promise<string> {
  const { assetId, file } = await begun(scene);
  await sendParts(scene, assetId, fileOf(fileBytes));
  killAfter(scene, 'CompleteMultipartUpload');
  await expect(finalize(scene, assetId)).rejects.toThrow();
  await scene.hubs.restart();
  const { invoke } = scene.hubs.hub;
  await expect(invoke('repositories_IssueAssetDownloadUrl', { assetId })).rejects.toThrow();
  await expect
    .poll(() => finalize(scene, assetId).catch(String), { timeout: 120_000 })
    .toMatch(/are not the announced ones/);
  await mustGoOn(scene, assetId, file, [1, 2]);
  return assetId;
}
