import { createHash, randomBytes } from 'node:crypto';
import { ids, type Actor, type Id } from '@corral/contract';
import { newRawId } from '../src/auth/random.ts';
import { storageKey } from '../src/domains/assets/storage/storage-key.ts';
import type { FreshExecutor } from './fresh-executor.ts';
import { seedUser, type Somebody } from './seed.ts';

/** The part of a hub under test that is needed here. */
export type Seedable = Pick<FreshExecutor, 'as' | 'database' | 'now'>;

/** A repository with its owner. */
export interface SeededRepository {
  readonly repositoryId: Id<'repository'>;
  readonly name: string;
  readonly owner: Somebody;
}

/** Creates a repository, by default a private one of a new user. */
export async function seedRepository(
  hub: Seedable,
  more: {
    readonly owner?: Somebody;
    readonly visibility?: 'Public' | 'Private';
    readonly name?: string;
  } = {},
): Promise<SeededRepository> {
  const owner = more.owner ?? (await seedUser(hub, `${newRawId()}@example.org`));
  const name = more.name ?? `firmware ${newRawId().slice(0, 8)}`;
  const created = await hub.as(owner, 'repositories_CreateRepository', {
    name,
    visibility: more.visibility ?? 'Private',
  });
  if (created.result !== 'Created') throw new Error(`There is a repository named ${name} already.`);
  return { repositoryId: created.repositoryId, name, owner };
}

/** Creates a package. */
export async function seedPackage(
  hub: Seedable,
  { repositoryId, owner }: SeededRepository,
  name = 'base-image',
): Promise<Id<'package'>> {
  const created = await hub.as(owner, 'repositories_CreatePackage', { repositoryId, name });
  if (created.result !== 'Created') throw new Error(`There is a package named ${name} already.`);
  return created.packageId;
}

/** Creates a version with tags that are not locked. */
export async function seedVersion(
  hub: Seedable,
  by: Actor,
  packageId: Id<'package'>,
  ...tags: string[]
): Promise<Id<'packageVersion'>> {
  const { versionId } = await hub.as(by, 'repositories_CreatePackageVersion', {
    packageId,
    tags: tags.map((tag) => ({ tag })),
  });
  return versionId;
}

/** Inserts an asset with random bytes that nobody stores, by default as available. */
export async function seedAsset(
  hub: Seedable,
  { repositoryId }: Pick<SeededRepository, 'repositoryId'>,
  more: { readonly size?: number; readonly status?: 'Dangling' | 'Available' | 'Deleting' } = {},
): Promise<Id<'asset'>> {
  const rawId = newRawId();
  const repository = ids.repository.raw(repositoryId);
  const digest = createHash('sha256').update(randomBytes(16)).digest();
  await hub.database.db
    .insertInto('assets')
    .values({
      asset_id: rawId,
      repository_id: repository,
      digest,
      size: more.size ?? 1024,
      status: more.status ?? 'Available',
      storage_key: storageKey('', repository, digest),
      created_at: hub.now(),
      touched_at: hub.now(),
    })
    .execute();
  return ids.asset.of(rawId);
}

/** A repository with one of everything: a package and a version of it, each with the file `x`, and the tag `v1`. */
export async function seedCatalogue(hub: Seedable, more: Parameters<typeof seedRepository>[1] = {}) {
  const repository = await seedRepository(hub, more);
  const { owner, repositoryId } = repository;
  const packageId = await seedPackage(hub, repository);
  const versionId = await seedVersion(hub, owner, packageId, 'v1');
  const assetId = await seedAsset(hub, repository);
  await hub.as(owner, 'repositories_AddPackageAsset', { packageId, assetId, filename: 'x' });
  await hub.as(owner, 'repositories_AddPackageVersionAsset', { versionId, assetId, filename: 'x' });
  return { repository, repositoryId, owner, packageId, versionId, assetId };
}

/** See `seedCatalogue`. */
export type Catalogue = Awaited<ReturnType<typeof seedCatalogue>>;
