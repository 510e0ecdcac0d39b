import { randomBytes } from 'node:crypto';
import type { Id } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../test/fresh-executor.ts';
import { seedRepository } from '../../../test/seed-repository.ts';
import { checkStoredAssets } from './check-stored-assets.ts';
import { CompleteAssetUploads } from '../../domains/assets/internal/CompleteAssetUploads.ts';
import { ReportAssetCheck } from '../../domains/assets/internal/ReportAssetCheck.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

const findings = async () =>
  (await checkStoredAssets(hub.database.db)).map(({ state, text }) => `${state}: ${text}`);

test('damaged assets are counted, and the first is named with what to do', async () => {
  const { repositoryId, owner } = await seedRepository(hub);
  const available = async (): Promise<Id<'asset'>> => {
    const digest = `sha256_${randomBytes(32).toString('hex')}`;
    const { assetId } = await hub.as(owner, 'repositories_CreateAsset', { repositoryId, size: 100, digest });
    const upload = { assetId, chunkDigests: Buffer.alloc(0), storageStatus: 'Verified' } as const;
    await hub.run(CompleteAssetUploads, { uploads: [upload] });
    hub.advance(1);
    return assetId as Id<'asset'>;
  };
  const report = (assetId: Id<'asset'>, storageStatus: 'Missing' | 'Mismatched' | 'Verified') =>
    hub.run(ReportAssetCheck, { assetId, storageStatus });
  const [first, second] = [await available(), await available(), await available()];
  expect(await findings()).toEqual(['right: No asset is known to be missing or damaged.']);
  await report(second, 'Missing');
  expect(await findings()).toEqual([
    expect.stringMatching(
      new RegExp(`^wrong: An asset is missing or damaged in the store: ${second} of .+, sha256_`),
    ),
  ]);
  await report(first, 'Mismatched');
  expect(await findings()).toEqual([
    expect.stringContaining(`2 assets are missing or damaged in the store, such as: ${first} of `),
  ]);
  await report(first, 'Verified');
  await report(second, 'Verified');
  expect(await findings()).toEqual(['right: No asset is known to be missing or damaged.']);
});
