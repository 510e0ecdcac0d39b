import { randomUUID } from 'node:crypto';
import type { Id } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assetScene, fileOf, put, type AssetScene } from '../../../test/asset-scene.ts';
import { system } from '../../../test/http-hub.ts';
import { sendPart } from '../../../test/send-part.ts';
import { BeginAssetUpload } from '../../domains/assets/internal/BeginAssetUpload.ts';
import { ExtendAssetUpload } from '../../domains/assets/internal/ExtendAssetUpload.ts';
import { ReleaseAssetUpload } from '../../domains/assets/internal/ReleaseAssetUpload.ts';
import { RegisterClusterNode } from '../../domains/instance/internal/RegisterClusterNode.ts';

const nodeLeaseSecs = 15;
let scene: AssetScene;
let nodeId: Id<'clusterNode'>;

/** Joins the cluster as a hub does that starts on its data folder: the nodes before it have ended. */
async function startAgain(): Promise<void> {
  const input = { isAlone: true };
  ({ nodeId } = await scene.hub.executor.run(system, RegisterClusterNode, input));
}

beforeAll(async () => {
  scene = await assetScene({
    nodeId: () => nodeId,
    transferLimits: { uploads: { ofCaller: 4, waiting: 0 }, busyWaitMs: 300 },
  });
  await startAgain();
});
afterAll(() => scene[Symbol.asyncDispose]());

async function begin(assetId: Id<'asset'>) {
  const lease = { assetId, leaseId: randomUUID() };
  const { result } = await scene.hub.executor.run(system, BeginAssetUpload, lease);
  return { result, lease };
}

test('the lease of a writer ends with its hub, so that an upload goes on at once after a restart', async () => {
  const assetId = await scene.create(fileOf(1_000));
  const { lease } = await begin(assetId);
  expect(await begin(assetId)).toMatchObject({ result: 'Busy' });
  await startAgain();
  const after = await begin(assetId);
  expect(after.result).toBe('Taken');
  expect(await begin(assetId)).toMatchObject({ result: 'Busy' });
  // The writer before, if it still runs, can neither keep nor end the lease.
  expect(await scene.hub.executor.run(system, ExtendAssetUpload, lease)).toEqual({ isHeld: false });
  await scene.hub.executor.run(system, ReleaseAssetUpload, lease);
  expect(await begin(assetId)).toMatchObject({ result: 'Busy' });
  const remove = () => scene.call('repositories_DeleteAsset', { assetId });
  await expect(remove()).rejects.toThrow('is being uploaded');
  await startAgain();
  await remove();
});

test('the lease of a writer ends when that of its node ends, and goes on when the node does under a new id', async () => {
  const assetId = await scene.create(fileOf(1_000));
  const { lease } = await begin(assetId);
  scene.hub.advance(nodeLeaseSecs + 1);
  ({ nodeId } = await scene.hub.executor.run(system, RegisterClusterNode, {}));
  expect(await scene.hub.executor.run(system, ExtendAssetUpload, lease)).toEqual({ isHeld: true });
  expect(await begin(assetId)).toMatchObject({ result: 'Busy' });
  scene.hub.advance(nodeLeaseSecs + 1);
  expect(await begin(assetId)).toMatchObject({ result: 'Taken' });
});

test('a second writer is told when to come again, also by a hub that goes on under a new id', async () => {
  const file = fileOf(200_000);
  const { assetId, url } = await scene.begin(file);
  const sent = file.bytes.subarray(0, 1_000);
  const first = await sendPart({ url, length: file.bytes.length, sent });
  await scene.untilLeased(assetId);
  await startAgain();
  const second = await put(url, file);
  expect([second.status, Number(second.headers['retry-after']) > 0]).toEqual([409, true]);
  first.end(file.bytes.subarray(1_000));
  await expect.poll(async () => (await scene.details(assetId)).status).toBe('Available');
  expect((await put(url, file)).status).toBe(200);
});

test('the uploads of one client are limited', async () => {
  const begin = async () => {
    const file = fileOf(200_000);
    const { url } = await scene.begin(file);
    return { file, url };
  };
  const held = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      const { url, file } = await begin();
      return sendPart({ url, length: file.bytes.length, sent: file.bytes.subarray(0, 10_000) });
    }),
  );
  await expect.poll(() => scene.hub.transfers.counts.uploads).toBe(4);
  const { url, file } = await begin();
  const fifth = await put(url, file);
  expect([fifth.status, fifth.headers['retry-after']]).toEqual([429, '5']);
  for (const socket of held) socket.destroy();
  await expect.poll(() => scene.hub.transfers.counts.uploads).toBe(0);
});
