import type { Actor, Id } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedUser, type Somebody } from '../../../../test/seed.ts';
import { seedPackage, seedRepository, seedVersion } from '../../../../test/seed-repository.ts';
import { CleanupExpiredUserSessions } from '../../users/internal/CleanupExpiredUserSessions.ts';

let hub: FreshExecutor;
let stranger: Somebody;
beforeAll(async () => {
  hub = await freshExecutor();
  stranger = await seedUser(hub, 'stranger@example.org');
});
afterAll(() => hub[Symbol.asyncDispose]());

const dayS = 86_400;
const create = (by: Actor, name: string) => hub.as(by, 'repositories_CreateRepository', { name });
const rename = (by: Actor, repositoryId: Id<'repository'>, slug: string) =>
  hub.as(by, 'repositories_SetSlug', { repositoryId, slug });
const refusal = async (by: Actor, name: string) =>
  (await hub.refusal(by, 'repositories_CreateRepository', { name })).message;
const kept = (name: string) =>
  `Another repository had the name ${name}. Its paths are kept for it for 30 days, longer if a tag is locked. Choose another name.`;

describe('the name of a renamed repository', () => {
  test('goes to nobody else for 30 days, by a creation or by a renaming', async () => {
    const { repositoryId, owner, name } = await seedRepository(hub);
    await rename(owner, repositoryId, `${name} new`);
    hub.advance(30 * dayS - 1);
    for (const by of [stranger, owner]) expect(await refusal(by, name)).toBe(kept(name));
    const other = await seedRepository(hub, { owner: stranger });
    const wanted = { repositoryId: other.repositoryId };
    for (const refused of [
      await hub.refusal(stranger, 'repositories_SetSlug', { ...wanted, slug: name }),
      await hub.refusal(stranger, 'repositories_SetDisplayName', { ...wanted, displayName: name }),
    ])
      expect(refused).toEqual({ kind: 'Invalid', message: kept(name) });
    hub.advance(2);
    expect(await create(stranger, name)).toMatchObject({ result: 'Created' });
  });

  test('goes back to the repository at once', async () => {
    const { repositoryId, owner, name } = await seedRepository(hub);
    await rename(owner, repositoryId, `${name} new`);
    expect(await rename(owner, repositoryId, name)).toEqual({ result: 'Success' });
    expect(await refusal(stranger, `${name} new`)).toBe(kept(`${name} new`));
  });

  test('is kept for ever while a tag is locked', async () => {
    const { repositoryId, owner, name } = await seedLocked();
    await rename(owner, repositoryId, `${name} new`);
    hub.advance(400 * dayS);
    expect(await refusal(owner, name)).toBe(kept(name));
    await hub.as(owner, 'repositories_DeleteRepository', { repositoryId });
    hub.advance(30 * dayS - 1);
    expect(await refusal(owner, name)).toBe(kept(name));
    hub.advance(2);
    expect(await create(stranger, name)).toMatchObject({ result: 'Created' });
  });

  test('is one of ten that a repository keeps', async () => {
    const { repositoryId, owner, name } = await seedRepository(hub);
    for (let step = 1; step <= 10; step += 1) await rename(owner, repositoryId, `${name} ${step}`);
    const next = { repositoryId, slug: `${name} 11` };
    expect((await hub.refusal(owner, 'repositories_SetSlug', next)).message).toBe(
      'The last 10 names of this repository are still kept for it. Choose one of them, or rename it later.',
    );
    expect(await rename(owner, repositoryId, name)).toEqual({ result: 'Success' });
    hub.advance(31 * dayS);
    expect(await rename(owner, repositoryId, next.slug)).toEqual({ result: 'Success' });
  });
});

describe('the name of a deleted repository', () => {
  test('goes to its owners at once, to others after 30 days', async () => {
    const { repositoryId, owner, name } = await seedRepository(hub);
    await hub.as(owner, 'repositories_DeleteRepository', { repositoryId });
    expect(await refusal(stranger, name)).toBe(kept(name));
    const beside = await seedRepository(hub, { owner });
    expect(await rename(owner, beside.repositoryId, name)).toEqual({ result: 'Success' });
    await hub.as(owner, 'repositories_DeleteRepository', { repositoryId: beside.repositoryId });
    expect(await create(owner, name)).toMatchObject({ result: 'Created' });
  });

  test('goes to nobody for 30 days if a tag was locked', async () => {
    const { repositoryId, owner, name } = await seedLocked();
    await hub.as(owner, 'repositories_DeleteRepository', { repositoryId });
    expect(await refusal(owner, name)).toBe(kept(name));
  });

  test('is kept, too, if the repository goes with its user', async () => {
    const { owner, name } = await seedRepository(hub);
    await hub.as(system, 'users_DeleteUser', { userId: owner.userId });
    expect(await refusal(stranger, name)).toBe(kept(name));
  });
});

test('the upkeep forgets names that are not kept any more', async () => {
  const { repositoryId, owner, name } = await seedRepository(hub);
  await rename(owner, repositoryId, `${name} new`);
  hub.advance(31 * dayS);
  await hub.run(CleanupExpiredUserSessions);
  const rows = await hub.database.db.selectFrom('kept_repository_names').select('kept_until').execute();
  expect(rows.filter(({ kept_until }) => kept_until !== null)).toEqual([]);
});

test('only one of a renaming and a creation at the same time gets the name', async () => {
  for (let round = 0; round < 30; round += 1) {
    const { repositoryId, owner, name } = await seedRepository(hub);
    const [, created] = await Promise.allSettled([
      rename(owner, repositoryId, `${name} new`),
      create(stranger, name),
    ]);
    const taken = created.status === 'fulfilled' ? created.value.result : 'kept';
    expect(['NameAlreadyExists', 'kept']).toContain(taken);
  }
});

async function seedLocked() {
  const repository = await seedRepository(hub);
  const { owner } = repository;
  const versionId = await seedVersion(hub, owner, await seedPackage(hub, repository));
  await hub.as(owner, 'repositories_TagPackageVersion', { versionId, tags: [{ tag: 'v1', locked: true }] });
  return repository;
}
