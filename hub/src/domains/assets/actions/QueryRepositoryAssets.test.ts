import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedAsset, seedCatalogue, seedRepository, seedVersion } from '../../../../test/seed-repository.ts';

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

test('a cursor of some digests is no cursor of others or of the whole list', async () => {
  const mine = await seedRepository(hub);
  const { owner, repositoryId } = mine;
  for (let count = 0; count < 3; count += 1) await seedAsset(hub, mine);
  const list = (more: object) =>
    hub.as(owner, 'repositories_QueryRepositoryAssets', { repositoryId, limit: 1, ...more });
  const { assets } = await hub.as(owner, 'repositories_QueryRepositoryAssets', { repositoryId });
  const digests = assets.slice(1).map(({ digest }) => digest);
  const { next: after } = await list({ digests });
  const rest = await list({ digests: digests.toReversed(), after });
  expect(rest.assets.map(({ digest }) => digest)).toEqual(digests.slice(1));
  const { next: ofAll } = await list({});
  for (const other of [{ after }, { digests: digests.slice(1), after }, { digests, after: ofAll }])
    expect(
      await hub.refusal(owner, 'repositories_QueryRepositoryAssets', { repositoryId, limit: 1, ...other }),
    ).toMatchObject({
      kind: 'Invalid',
      message: 'The field after must be the next of an earlier answer for the same list.',
    });
});

test('an asset has the names of some files that it is, once each', async () => {
  const { repository, repositoryId, owner, packageId, versionId, assetId } = await seedCatalogue(hub);
  await seedAsset(hub, repository);
  const named = async () => {
    const { assets } = await hub.as(owner, 'repositories_QueryRepositoryAssets', { repositoryId });
    return assets.map(({ assetId: id, filenames }) => [id === assetId, filenames]);
  };
  expect(await named()).toEqual(
    expect.arrayContaining([
      [true, ['x']],
      [false, undefined],
    ]),
  );
  for (const filename of ['c', 'b', 'a'])
    await hub.as(owner, 'repositories_AddPackageVersionAsset', { versionId, assetId, filename });
  const later = await seedVersion(hub, owner, packageId);
  await hub.as(owner, 'repositories_AddPackageVersionAsset', { versionId: later, assetId, filename: 'a' });
  expect(await named()).toContainEqual([true, ['a', 'b', 'c']]);
});
