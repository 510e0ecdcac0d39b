import type { Actor } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { absentId, anonymous, freshExecutor, system, type FreshExecutor } from '../../test/fresh-executor.ts';
import { seedAsset, seedCatalogue } from '../../test/seed-repository.ts';
import { byToken, seedUser } from '../../test/seed.ts';
import { seedStranger, seedWorld, type World } from '../../test/two-projects.ts';
import {
  mustOwnRepository,
  mustReadAsset,
  mustReadRepository,
  mustShareRepository,
  mustWriteAsset,
} from './repositories.ts';

let hub: FreshExecutor;
let world: World;
let other: World;
let callers: Record<string, Actor>;
beforeAll(async () => {
  hub = await freshExecutor();
  world = await seedWorld(hub);
  other = await seedWorld(hub);
  const admin = await seedStranger(hub, true);
  callers = {
    anonymous,
    stranger: (await seedStranger(hub)).actor,
    'reader of a linked project': world.reader.actor,
    'device of a linked project': world.device.actor,
    'device of another project': other.device.actor,
    member: world.member.actor,
    owner: world.owner.actor,
    'token of an owner': await byToken(hub, world.owner.actor),
    administrator: admin.actor,
    'token of an administrator': await byToken(hub, admin.actor),
    hub: system,
  };
});
afterAll(() => hub[Symbol.asyncDispose]());

async function verdicts(check: (actor: Actor) => Promise<unknown>): Promise<Record<string, string>> {
  const found = Object.entries(callers).map(async ([who, actor]) => {
    const verdict = await check(actor).then(
      () => 'ok',
      (error: Error) => error.message,
    );
    return [who, verdict] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

const notSignedIn = 'Not logged in.';
const readersOnly = 'Only a member of the repository may do this.';
const devicesOnly = 'A device may only read repositories.';

describe('an asset of a private repository', () => {
  const assetId = () => world.things.asset as `repo_a_${string}`;

  test('is readable for members, and people and devices of linked projects; for others it does not exist', async () => {
    const hidden = 'Asset not found.';
    expect(await verdicts((actor) => mustReadAsset(hub.database.db, actor, assetId()))).toEqual({
      anonymous: notSignedIn,
      stranger: hidden,
      'reader of a linked project': 'ok',
      'device of a linked project': 'ok',
      'device of another project': hidden,
      member: 'ok',
      owner: 'ok',
      'token of an owner': 'ok',
      administrator: 'ok',
      'token of an administrator': hidden,
      hub: 'ok',
    });
  });

  test('is writable for members only; other readers learn why', async () => {
    expect(await verdicts((actor) => mustWriteAsset(hub.database.db, actor, assetId()))).toMatchObject({
      stranger: 'Asset not found.',
      'reader of a linked project': readersOnly,
      'device of a linked project': devicesOnly,
      member: 'ok',
      administrator: 'ok',
    });
  });
});

test('any signed-in actor may read and share a public repository; only its owners own it', async () => {
  const repositoryId = other.publicThings.repository as `repo_${string}`;
  const { db } = hub.database;
  const read = await verdicts((actor) => mustReadRepository(db, actor, repositoryId));
  expect(read).toEqual({
    ...Object.fromEntries(Object.keys(callers).map((who) => [who, 'ok'])),
    anonymous: notSignedIn,
  });
  expect(await verdicts((actor) => mustShareRepository(db, actor, repositoryId))).toEqual(read);
  expect(await verdicts((actor) => mustOwnRepository(db, actor, repositoryId))).toMatchObject({
    stranger: readersOnly,
    owner: readersOnly,
    'device of another project': devicesOnly,
    administrator: 'ok',
  });
});

test('only its owners share a private repository: neither its members nor readers by a link', async () => {
  const repositoryId = world.things.repository as `repo_${string}`;
  const found = await verdicts((actor) => mustShareRepository(hub.database.db, actor, repositoryId));
  expect(found).toEqual({
    anonymous: notSignedIn,
    stranger: 'Repository not found.',
    'reader of a linked project': readersOnly,
    'device of a linked project': devicesOnly,
    'device of another project': 'Repository not found.',
    member: 'Only an owner of a private repository may link it to a project.',
    owner: 'ok',
    'token of an owner': 'ok',
    administrator: 'ok',
    'token of an administrator': 'Repository not found.',
    hub: 'ok',
  });
});

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
