import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../test/fresh-executor.ts';
import { seedAsset, seedRepository } from '../../../test/seed-repository.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

test('assets are looked up by their digests in one repository', async () => {
  const [mine, other] = [await seedRepository(hub), await seedRepository(hub)];
  const { owner, repositoryId } = mine;
  for (let count = 0; count < 3; count += 1) await seedAsset(hub, mine);
  await seedAsset(hub, other);
  const { assets } = await hub.as(owner, 'repositories_QueryRepositoryAssets', { repositoryId });
  expect(assets).toHaveLength(3);
  const elsewhere = await hub.as(other.owner, 'repositories_QueryRepositoryAssets', {
    repositoryId: other.repositoryId,
  });
  const digestOf = ({ digest }: { digest: string }) =>
    digest.replace('_', ':').toUpperCase().replace('SHA', 'sha');
  const digests = [...assets.slice(1), ...elsewhere.assets].map(digestOf);
  const found = await hub.as(owner, 'repositories_QueryRepositoryAssets', { repositoryId, digests });
  expect(found.assets).toEqual(assets.slice(1));
  const none = await hub.as(owner, 'repositories_QueryRepositoryAssets', { repositoryId, digests: [] });
  expect(none.assets).toEqual([]);
});
