import { request as plainRequest, type ClientRequest } from 'node:http';
import type { Id } from '@corral/contract';
import { expect, onTestFinished, test } from 'vitest';
import { append, assetScene, callUrl, fileOf, put, type AssetScene } from '../../../test/asset-scene.ts';
import type { HttpHubOptions } from '../../../test/http-hub.ts';
import { s3Double, type S3Double } from '../../../test/s3-double/s3-double.ts';

interface Scene {
  readonly scene: AssetScene;
  readonly store: S3Double;
}

/** A hub with a repository in a store that only the hub reaches. */
async function sceneOf(options: HttpHubOptions = {}): Promise<Scene> {
  const store = await s3Double();
  const scene = await assetScene(options);
  onTestFinished(async () => {
    await scene[Symbol.asyncDispose]();
    await store[Symbol.asyncDispose]();
  });
  await scene.useStore(store, { publicEndpoint: 'none' });
  return { scene, store };
}

/** Begins a download and does not read the answer. */
async function beginDownload({ scene }: Scene, assetId: Id<'asset'>, headers = {}): Promise<ClientRequest> {
  const request = plainRequest(await scene.downloadUrl(assetId), { headers });
  return request.on('error', () => undefined).end();
}

const running = ({ scene }: Scene) => scene.hub.transfers.counts;
const never = () => new Promise<void>(() => undefined);
const tight = {
  answerMs: 200,
  storingMs: 200,
  progress: { stallMs: 200, windowMs: 400, minWindowBytes: 10_000 },
  checkEveryMs: 10,
};

const sizes = [
  ['a small asset', 100_000, {}],
  ['a large asset', 300_000, {}],
  ['a part of a large asset', 300_000, { range: 'bytes=1000-1999' }],
] as const;

test.each(sizes)(
  'a client that leaves while its store trickles or is silent has no download any more: %s',
  async (_what, sizeBytes, headers) => {
    const both = await sceneOf();
    const assetId = await both.scene.upload(fileOf(sizeBytes));
    for (const behaviour of [{ trickles: true }, { trickles: false, sendsAfter: never }]) {
      Object.assign(both.store.profile, behaviour);
      const request = await beginDownload(both, assetId, headers);
      await expect.poll(() => running(both).downloads).toBe(1);
      request.destroy();
      await expect.poll(() => running(both).downloads).toBe(0);
    }
  },
);

test.each(sizes)(
  'a client whose store trickles or is silent is told so in time: %s',
  async (_what, sizeBytes, headers) => {
    const both = await sceneOf({ storeLimits: tight });
    const assetId = await both.scene.upload(fileOf(sizeBytes));
    const url = await both.scene.downloadUrl(assetId);
    for (const behaviour of [{ trickles: true }, { trickles: false, sendsAfter: never }]) {
      Object.assign(both.store.profile, behaviour);
      const answer = await callUrl(url, { headers });
      expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
    }
    expect((await both.scene.details(assetId)).storage?.status).toBe('Verified');
  },
);

test('a store that does not answer after the last byte ends the upload, and the place is free for others', async () => {
  const both = await sceneOf({ storeLimits: tight });
  const { scene, store } = both;
  const file = fileOf(100_000);
  const { url } = await scene.begin(file);
  store.profile.storesAfter = never;
  store.profile.answersAfter = (operation) => (operation === 'UploadPart' ? never() : Promise.resolve());
  for (const { status, headers } of [await put(url, file), await append(url, 0, file.bytes)])
    expect([status, headers['retry-after']]).toEqual([503, '5']);
  expect(running(both).uploads).toBe(0);
});
