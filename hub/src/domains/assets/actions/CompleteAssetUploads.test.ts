import { randomBytes } from 'node:crypto';
import { maxAssetBytes, maxChunks, maxChunksAtOnce } from '@corral/contract';
import { expect, test } from 'vitest';
import { freshExecutor } from '../../../../test/fresh-executor.ts';
import { seedAsset, seedRepository } from '../../../../test/seed-repository.ts';
import { CompleteAssetUploads } from '../internal/CompleteAssetUploads.ts';

test('the largest asset becomes available with the digests of all its chunks', async () => {
  await using hub = await freshExecutor();
  const repository = await seedRepository(hub);
  const assetId = await seedAsset(hub, repository, { size: maxAssetBytes, status: 'Dangling' });
  const digests = randomBytes(32 * maxChunks);
  const upload = { assetId, chunkDigests: digests, storageStatus: 'Verified' } as const;
  const completed = await hub.run(CompleteAssetUploads, { uploads: [upload] });
  expect(completed).toEqual({ results: ['Completed'] });
  const parts: Buffer[] = [];
  for (let after = 0; after < maxChunks; after += maxChunksAtOnce) {
    const page = await hub.as(repository.owner, 'repositories_GetAssetChunks', { assetId, after });
    parts.push(Buffer.from(page.digests, 'base64'));
  }
  expect(Buffer.concat(parts).equals(digests)).toBe(true);
});
