import { afterAll, beforeAll, expect, test } from 'vitest';
import { absentId, freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedAsset, seedCatalogue } from '../../../../test/seed-repository.ts';
import { seedUser } from '../../../../test/seed.ts';
import { seedWorld, type World } from '../../../../test/two-projects.ts';
import { mustOwnRepository, mustReadAsset, mustReadRepository } from './repositories.ts';

let hub: FreshExecutor;
let world: World;
let other: World;
beforeAll(async () => {
  hub = await freshExecutor();
  world = await seedWorld(hub);
  other = await seedWorld(hub);
});
afterAll(() => hub[Symbol.asyncDispose]());

test('after removal of the link or the membership the repository does not exist', async () => {
  const { repositoryId, assetId } = await seedCatalogue(hub, { owner: world.owner.actor });
  const { projectId } = world.project;
  const link = { projectId, repositoryId };
  const devices = () => mustReadAsset(hub.database.db, world.device.actor, assetId);
  await hub.as(world.owner.actor, 'projects_AddProjectRepository', link);
  await hub.as(world.owner.actor, 'projects_AddProjectRepository', link);
  await devices();
  await hub.as(world.reader.actor, 'projects_RemoveProjectRepository', link);
  await expect(devices()).rejects.toThrow('Asset not found.');
  expect(await hub.refusal(world.owner.actor, 'projects_RemoveProjectRepository', link)).toEqual({
    kind: 'Invalid',
    message: 'The repository is not linked to this project.',
  });
  const person = await seedUser(hub, 'new@example.org');
  const membership = { repositoryId, userId: person.userId };
  await hub.as(system, 'repositories_AddRepositoryMember', { ...membership, isOwner: true });
  await mustOwnRepository(hub.database.db, person, repositoryId);
  await hub.as(person, 'repositories_RemoveRepositoryMember', membership);
  await expect(mustReadRepository(hub.database.db, person, repositoryId)).rejects.toThrow('not found');
});

test('an asset of another repository cannot be attached, and does not exist for the caller', async () => {
  const { versionId, packageId, owner } = await seedCatalogue(hub);
  for (const assetId of [await seedAsset(hub, await foreignRepository()), absentId('asset')]) {
    const file = { assetId, filename: 'y' };
    const refusals = [
      await hub.refusal(owner, 'repositories_AddPackageVersionAsset', { versionId, ...file }),
      await hub.refusal(owner, 'repositories_AddPackageAsset', { packageId, ...file }),
    ];
    for (const refusal of refusals) expect(refusal).toEqual({ kind: 'Invalid', message: 'Asset not found.' });
  }
});

const foreignRepository = async () => (await seedCatalogue(hub, { owner: other.owner.actor })).repository;
