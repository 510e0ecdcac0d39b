import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { ids, type Id } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assetScene, callUrl, fileOf, type AssetScene } from '../../../test/asset-scene.ts';
import { system } from '../../../test/http-hub.ts';
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
  scene = await assetScene({ nodeId: () => nodeId, transferLimits: { busyWaitMs: 300 } });
  await startAgain();
});
afterAll(() => scene[Symbol.asyncDispose]());

const invoke: AssetScene['hub']['executor']['invoke'] = (...call) => scene.hub.executor.invoke(...call);

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
  const caller = { actor: scene.owner, origin: {} };
  await expect(invoke(caller, 'repositories_DeleteAsset', { assetId })).rejects.toThrow('is being uploaded');
  await startAgain();
  await invoke(caller, 'repositories_DeleteAsset', { assetId });
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

test('a hub that goes on under a new id has no second writer of what it is writing', async () => {
  const file = fileOf(200_000);
  const assetId = await scene.create(file);
  const url = await scene.uploadUrl(assetId);
  const first = await holdOpen(url, file.bytes.subarray(0, 1_000), file.bytes.length);
  const { db } = scene.hub.database;
  const row = db.selectFrom('assets').select('upload_lease').where('asset_id', '=', ids.asset.raw(assetId));
  await expect.poll(async () => (await row.executeTakeFirst())?.upload_lease).not.toBeNull();
  await startAgain();
  const second = await callUrl(url, { method: 'PUT', body: file.bytes });
  expect([second.status, Number(second.headers['retry-after']) > 0]).toEqual([409, true]);
  first.end(file.bytes.subarray(1_000));
  await expect.poll(async () => (await scene.details(assetId)).status).toBe('Available');
  expect((await callUrl(url, { method: 'PUT', body: file.bytes })).status).toBe(200);
});

/** Sends the start of a PUT whose connection stays open. */
function holdOpen(url: string, body: Buffer, length: number): Promise<Socket> {
  const { port, pathname, search, host } = new URL(url);
  const head = `PUT ${pathname}${search} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${length}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(head);
      socket.write(body, () => resolve(socket));
    });
    socket.on('error', reject);
  });
}
