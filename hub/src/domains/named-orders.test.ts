import { ids, type CallInput, type Id, type Output } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../test/fresh-executor.ts';
import { seedAsset, seedPackage, seedRepository, seedVersion } from '../../test/seed-repository.ts';
import { seedUser, type Somebody } from '../../test/seed.ts';
import { CleanupInactiveClusterNodes } from './instance/internal/CleanupInactiveClusterNodes.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

type Named =
  | 'repositories_QueryPackageVersions'
  | 'repositories_QueryRepositoryAssets'
  | 'repositories_QueryRepositoryPackages'
  | 'users_QueryUsers';

/** A list in one piece, after it was compared with the same list read row by row. */
async function whole<Name extends Named, Row>(
  by: Somebody,
  name: Name,
  input: CallInput<Name>,
  rowsOf: (answer: Output<Name>) => Row[],
): Promise<Row[]> {
  const all = rowsOf(await hub.as(by, name, input));
  const paged: Row[] = [];
  for (let after: string | undefined; paged.length <= all.length;) {
    const page = await hub.as(by, name, { ...input, limit: 1, ...(after === undefined ? {} : { after }) });
    paged.push(...rowsOf(page));
    after = (page as { next?: string }).next;
    if (after === undefined) break;
  }
  expect(paged).toEqual(all);
  return all;
}

test('packages are searched, and sorted in each order, those without a kind last', async () => {
  const repository = await seedRepository(hub);
  const { owner, repositoryId } = repository;
  const kinds: Record<string, string | undefined> = { Beta: 'driver', alpha: 'App', gamma: undefined };
  for (const [name, kind] of Object.entries(kinds)) {
    const packageId = await seedPackage(hub, repository, name);
    if (name === 'alpha') await seedVersion(hub, owner, packageId);
    await hub.database.db
      .updateTable('packages')
      .set({ kind: kind ?? null })
      .where('package_id', '=', ids.package.raw(packageId))
      .execute();
  }
  const names = (input: Partial<CallInput<'repositories_QueryRepositoryPackages'>>) =>
    whole(owner, 'repositories_QueryRepositoryPackages', { repositoryId, ...input }, ({ packages }) =>
      packages.map(({ name }) => name),
    );
  expect(await names({})).toEqual(['alpha', 'Beta', 'gamma']);
  expect(await names({ order: '-name' })).toEqual(['gamma', 'Beta', 'alpha']);
  expect(await names({ order: 'kind' })).toEqual(['alpha', 'Beta', 'gamma']);
  expect(await names({ order: '-kind' })).toEqual(['Beta', 'alpha', 'gamma']);
  expect(await names({ order: '-versions' })).toEqual(['alpha', 'gamma', 'Beta']);
  expect(await names({ search: ' DRIV ' })).toEqual(['Beta']);
  expect(await names({ search: 'A', order: '-name' })).toEqual(['gamma', 'Beta', 'alpha']);
  expect(await names({ search: '%' })).toEqual([]);
  const { next: after } = await hub.as(owner, 'repositories_QueryRepositoryPackages', {
    repositoryId,
    limit: 1,
  });
  for (const other of [{ order: '-name' }, { search: 'a' }] as const)
    expect(
      await hub.refusal(owner, 'repositories_QueryRepositoryPackages', { repositoryId, after, ...other }),
    ).toMatchObject({ kind: 'Invalid' });
});

test('versions are searched in name, id and tag, and sorted in each order, those without a name last', async () => {
  const repository = await seedRepository(hub);
  const { owner } = repository;
  const packageId = await seedPackage(hub, repository, 'press');
  const publish = async (name?: string, tag?: string) => {
    const created = await hub.as(owner, 'repositories_CreatePackageVersion', {
      packageId,
      ...(name === undefined ? {} : { name }),
      tags: tag === undefined ? [] : [{ tag, locked: false, reassign: false }],
    });
    hub.advance(1);
    return created;
  };
  await publish('1.10');
  await publish(undefined, 'canary');
  await publish('1.9-RC');
  await publish('2.0', 'stable');
  const found = (input: Partial<CallInput<'repositories_QueryPackageVersions'>>) =>
    whole(owner, 'repositories_QueryPackageVersions', { packageId, ...input }, ({ versions }) => versions);
  const names = async (input: Partial<CallInput<'repositories_QueryPackageVersions'>>) =>
    (await found(input)).map(({ name }) => name);
  expect(await names({})).toEqual(['2.0', '1.9-RC', undefined, '1.10']);
  expect(await names({ order: 'createdAt' })).toEqual(['1.10', undefined, '1.9-RC', '2.0']);
  expect(await names({ order: 'name' })).toEqual(['1.9-RC', '1.10', '2.0', undefined]);
  expect(await names({ order: '-name' })).toEqual(['2.0', '1.10', '1.9-RC', undefined]);
  expect(await names({ search: ' 9-rc ' })).toEqual(['1.9-RC']);
  expect(await names({ search: 'STABLE' })).toEqual(['2.0']);
  expect(await names({ search: '1.', order: '-name' })).toEqual(['1.10', '1.9-RC']);
  expect(await names({ search: 'anar', order: 'name' })).toEqual([undefined]);
  expect(await names({ search: '%' })).toEqual([]);
  const [newest] = await found({});
  expect(await names({ search: newest?.versionId ?? '' })).toEqual(['2.0']);
  const { next: after } = await hub.as(owner, 'repositories_QueryPackageVersions', { packageId, limit: 1 });
  for (const other of [{ order: 'name' }, { search: '1' }] as const)
    expect(
      await hub.refusal(owner, 'repositories_QueryPackageVersions', { packageId, after, ...other }),
    ).toMatchObject({ kind: 'Invalid' });
});

test('packages are sorted by the name and the time of their newest version, those without one last', async () => {
  const repository = await seedRepository(hub);
  const { owner, repositoryId } = repository;
  const names = (order: 'newest' | '-newest' | 'published' | '-published', search?: string) =>
    whole(
      owner,
      'repositories_QueryRepositoryPackages',
      { repositoryId, order, ...(search === undefined ? {} : { search }) },
      ({ packages }) => packages.map(({ name }) => name),
    );
  const publish = async (packageId: Id<'package'>, name: string) => {
    hub.advance(1);
    const created = await hub.as(owner, 'repositories_CreatePackageVersion', { packageId, name });
    return created.versionId;
  };
  const [tenth, ninth, , same] = [
    await seedPackage(hub, repository, 'tenth'),
    await seedPackage(hub, repository, 'Ninth'),
    await seedPackage(hub, repository, 'none'),
    await seedPackage(hub, repository, 'same'),
    await seedPackage(hub, repository, 'empty'),
  ];
  const newest = await publish(tenth, '1.10.0');
  await publish(ninth, '1.9.0');
  await publish(same, '1.9.0');
  expect(await names('newest')).toEqual(['Ninth', 'same', 'tenth', 'empty', 'none']);
  expect(await names('-newest')).toEqual(['tenth', 'same', 'Ninth', 'none', 'empty']);
  expect(await names('published')).toEqual(['tenth', 'Ninth', 'same', 'empty', 'none']);
  expect(await names('-published')).toEqual(['same', 'Ninth', 'tenth', 'none', 'empty']);
  expect(await names('-published', 'NINTH')).toEqual(['Ninth']);

  await hub.as(owner, 'repositories_SetVersionName', { versionId: newest, name: 'Zeta' });
  expect(await names('-newest')).toEqual(['tenth', 'same', 'Ninth', 'none', 'empty']);
  await hub.as(owner, 'repositories_SetVersionName', { versionId: newest, name: '0.9' });
  expect(await names('newest')).toEqual(['tenth', 'Ninth', 'same', 'empty', 'none']);
  const newer = await publish(tenth, '2');
  // Not the newest any more.
  await hub.as(owner, 'repositories_SetVersionName', { versionId: newest, name: '3' });
  expect(await names('newest')).toEqual(['Ninth', 'same', 'tenth', 'empty', 'none']);
  expect(await names('-published')).toEqual(['tenth', 'same', 'Ninth', 'none', 'empty']);
  await hub.as(owner, 'repositories_DeletePackageVersion', { versionId: newer });
  expect(await names('published')).toEqual(['tenth', 'Ninth', 'same', 'empty', 'none']);
  await hub.as(owner, 'repositories_DeletePackageVersion', { versionId: newest });
  expect(await names('published')).toEqual(['Ninth', 'same', 'empty', 'none', 'tenth']);
});

test('assets are searched, and sorted in each order', async () => {
  const repository = await seedRepository(hub);
  const { owner, repositoryId } = repository;
  const [one, two] = [await seedAsset(hub, repository), await seedAsset(hub, repository)];
  await seedAsset(hub, repository);
  const packageId = await seedPackage(hub, repository, 'uses');
  for (const [filename, assetId] of Object.entries({ a: one, b: one, c: two }))
    await hub.as(owner, 'repositories_AddPackageAsset', { packageId, assetId, filename });
  await hub.run(CleanupInactiveClusterNodes);
  const list = (input: Partial<CallInput<'repositories_QueryRepositoryAssets'>>) =>
    whole(owner, 'repositories_QueryRepositoryAssets', { repositoryId, ...input }, ({ assets }) => assets);
  const all = await list({});
  const [first] = all;
  expect(await list({ search: first?.assetId.toUpperCase() ?? '' })).toEqual([first]);
  expect(await list({ search: first?.digest.slice(3, 30) ?? '' })).toEqual([first]);
  expect(await list({ search: 'nothing' })).toEqual([]);
  expect(await list({ search: 'DANGLING' })).toEqual(all.filter(({ status }) => status === 'Dangling'));
  const keys = {
    name: ({ assetId }: (typeof all)[0]) => assetId,
    digest: ({ digest }: (typeof all)[0]) => digest,
    size: ({ size, assetId }: (typeof all)[0]) => `${String(size).padStart(9, '0')} ${assetId}`,
    status: ({ status, assetId }: (typeof all)[0]) => `${status} ${assetId}`,
    uses: ({ referenceCount, assetId }: (typeof all)[0]) => `${referenceCount} ${assetId}`,
    createdAt: ({ createdAt, assetId }: (typeof all)[0]) => `${createdAt} ${assetId}`,
  };
  for (const [order, keyOf] of Object.entries(keys)) {
    const sorted = all.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    expect(await list({ order: order as keyof typeof keys })).toEqual(sorted);
    expect(await list({ order: `-${order as keyof typeof keys}` })).toEqual(sorted.toReversed());
  }
});

test('users are sorted in each order, those without a name last', async () => {
  const admin = await seedUser(hub, 'order-c@example.net', true);
  const [ann, zoe] = [await seedUser(hub, 'order-b@example.net'), await seedUser(hub, 'order-a@example.net')];
  await hub.as(ann, 'users_SetUserDisplayName', { userId: ann.userId, displayName: 'ann' });
  await hub.as(zoe, 'users_SetUserDisplayName', { userId: zoe.userId, displayName: 'Zoe' });
  const found = (order?: CallInput<'users_QueryUsers'>['order']) =>
    whole(
      admin,
      'users_QueryUsers',
      { search: 'order-', ...(order === undefined ? {} : { order }) },
      ({ users }) => users.map(({ userId }) => userId),
    );
  const [a, b, c] = [zoe.userId, ann.userId, admin.userId];
  expect(await found()).toEqual([a, b, c]);
  expect(await found('-email')).toEqual([c, b, a]);
  expect(await found('name')).toEqual([b, a, c]);
  expect(await found('-name')).toEqual([a, b, c]);
  expect(await found('admin')).toEqual([a, b, c]);
  expect(await found('-admin')).toEqual([c, b, a]);
  expect(await found('id')).toEqual([a, b, c].toSorted());
});
