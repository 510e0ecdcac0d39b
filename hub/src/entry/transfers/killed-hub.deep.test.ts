import { rm, mkdtemp, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callUrl, fileOf, fileWith, type TestFile } from '../../../test/asset-scene.ts';
import { startHubProgram, type HubProgram } from '../../../test/hub-program.ts';

const kills = 20;

test(
  'a hub that is killed in the middle of uploads and deletions loses nothing that it acknowledged, and serves nothing else',
  { timeout: 900_000 },
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'corral-killed-'));
    await chmod(dataDir, 0o711);
    const acknowledged = new Map<string, TestFile>();
    let hub = await startHubProgram({ dataDir });
    try {
      const { repositoryId } = await hub.invoke('repositories_CreateRepository', { name: 'images' });
      for (let kill = 0; kill < kills; kill += 1) {
        const before = acknowledged.size;
        const writers = [1, 2, 3].map((writer) =>
          writeUntilKilled(hub, String(repositoryId), acknowledged, writer),
        );
        const enough = 3 + Math.floor(Math.random() * 12);
        await expect
          .poll(() => acknowledged.size, { interval: 1, timeout: 60_000 })
          .toBeGreaterThan(before + enough);
        await Promise.all([hub.kill(), ...writers]);
        hub = await startHubProgram({ dataDir });
        await mustServe(hub, String(repositoryId), acknowledged);
      }
      expect(acknowledged.size).toBeGreaterThan(0);
    } finally {
      await hub.stop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    }
  },
);

/** Uploads files of many sizes, by PUT and in parts, and deletes some, until the hub is gone. */
async function writeUntilKilled(
  hub: HubProgram,
  repositoryId: string,
  acknowledged: Map<string, TestFile>,
  writer: number,
): Promise<void> {
  try {
    for (let index = 0; ; index += 1) {
      const file = fileOf(Math.ceil(Math.random() * 1_500_000));
      const announced = { repositoryId, size: file.bytes.length, digest: file.digest };
      const { assetId } = await hub.invoke('repositories_CreateAsset', announced);
      const { url } = await hub.invoke('repositories_IssueAssetUploadUrl', { assetId });
      await upload(String(url), file, writer === 1);
      acknowledged.set(String(assetId), file);
      if (index % 4 !== 3) continue;
      acknowledged.delete(String(assetId));
      await hub.invoke('repositories_DeleteAsset', { assetId });
    }
  } catch {
    // The hub is gone.
  }
}

async function upload(url: string, { bytes }: TestFile, inParts: boolean): Promise<void> {
  const call = async (method: string, body: Buffer, headers: Record<string, string> = {}): Promise<void> => {
    const { status } = await callUrl(url, { method, body, headers });
    if (status >= 300) throw new Error(`The upload ended with ${status}.`);
  };
  if (!inParts) return call('PUT', bytes);
  const half = Math.floor(bytes.length / 2);
  const tus = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };
  await call('PATCH', bytes.subarray(0, half), { ...tus, 'upload-offset': '0' });
  await call('PATCH', bytes.subarray(half), { ...tus, 'upload-offset': String(half) });
}

/** What was acknowledged is there, and whatever is available has the announced bytes. */
async function mustServe(
  hub: HubProgram,
  repositoryId: string,
  acknowledged: ReadonlyMap<string, TestFile>,
): Promise<void> {
  const { assets } = (await hub.invoke('repositories_QueryRepositoryAssets', { repositoryId })) as {
    assets: { assetId: string; status: string; digest: string }[];
  };
  const available = assets.filter(({ status }) => status === 'Available');
  expect(new Set(available.map(({ assetId }) => assetId))).toEqual(
    new Set([...acknowledged.keys(), ...available.map(({ assetId }) => assetId)]),
  );
  for (const { assetId, digest } of available) {
    const { url } = await hub.invoke('repositories_IssueAssetDownloadUrl', { assetId });
    const { status, bytes } = await callUrl(String(url));
    expect([status, fileWith(bytes).digest]).toEqual([200, digest]);
  }
}
