import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedRepository } from '../../../../test/seed-repository.ts';
import {
  auditedStatuses,
  createUserToken,
  validPassword,
  userRowsText,
  signIn,
  trySignIn,
} from '../../../../test/test-users.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

async function addMember(projectId: string, userId: string, isOwner = false): Promise<void> {
  const row = {
    project_id: projectId.slice(2),
    user_id: userId.slice(2),
    is_owner: isOwner,
    added_at: hub.now(),
  };
  await hub.database.db.insertInto('project_members').values(row).execute();
}

test('a user is deleted with its sessions, tokens, memberships and the projects without other members', async () => {
  const ann = await hub.user('ann@example.com', { password: validPassword });
  const bea = await hub.user('bea@example.com');
  const alone = await hub.as(ann, 'projects_CreateProject', { name: 'Alone' });
  const shared = await hub.as(bea, 'projects_CreateProject', { name: 'Shared' });
  await addMember(shared.projectId, ann.userId);
  const { tokenId } = await createUserToken(hub, ann);
  const { sessionId } = await signIn(hub, 'ann@example.com', validPassword);
  const { userId } = ann;
  hub.emittedEvents.length = 0;
  expect(await hub.as(ann, 'users_DeleteUser', { userId })).toEqual({});
  expect(hub.emittedEvents.map(({ name, data }) => [name, data])).toEqual([
    ['projects_Deleted', { projectId: alone.projectId, name: 'Alone' }],
    ['projects_MemberRemoved', { projectId: shared.projectId, userId, name: 'ann@example.com' }],
    ['users_SessionTerminated', { userId, sessionId }],
    ['users_TokenDeleted', { userId, tokenId }],
    ['users_Deleted', { userId, name: 'ann@example.com' }],
  ]);
  expect(await userRowsText(hub)).not.toContain(userId.slice(2));
  expect(await userRowsText(hub)).not.toContain('Alone');
  expect(await trySignIn(hub, 'ann@example.com', validPassword)).toEqual({ result: 'InvalidCredentials' });
  expect((await auditedStatuses(hub, 'users_DeleteUser')).at(-1)).toBe('Succeeded');
});

test('repositories that nobody else uses go with their owner, and others keep him', async () => {
  const gil = await hub.user('gil@example.com');
  const hal = await hub.user('hal@example.com');
  const create = async (name: string) => (await seedRepository(hub, { owner: gil, name })).repositoryId;
  const { projectId } = await hub.as(gil, 'projects_CreateProject', { name: 'Own' });
  const own = await create('own');
  await hub.as(gil, 'projects_AddProjectRepository', { projectId, repositoryId: own });
  const { repositoryId: joined } = await seedRepository(hub, { owner: hal });
  await hub.as(system, 'repositories_AddRepositoryMember', { repositoryId: joined, userId: gil.userId });
  const linked = await create('linked');
  const { projectId: theirs } = await hub.as(hal, 'projects_CreateProject', { name: 'Theirs' });
  await addMember(theirs, gil.userId);
  await hub.as(gil, 'projects_AddProjectRepository', { projectId: theirs, repositoryId: linked });
  expect((await hub.refusal(gil, 'users_DeleteUser', { userId: gil.userId })).message).toBe(
    'The repository "linked" has no other owner, but other members or linked projects. Make somebody else an owner, or delete the repository, first.',
  );
  const membership = { repositoryId: linked, userId: hal.userId, isOwner: true };
  await hub.as(system, 'repositories_AddRepositoryMember', membership);
  hub.emittedEvents.length = 0;
  await hub.as(gil, 'users_DeleteUser', { userId: gil.userId });
  const events = hub.emittedEvents.filter(({ name }) => name.startsWith('repositories_'));
  const seen = new Map(events.map(({ name, data }) => [data['repositoryId'], name]));
  expect(seen).toEqual(
    new Map([
      [own, 'repositories_Deleted'],
      [joined, 'repositories_MemberRemoved'],
      [linked, 'repositories_MemberRemoved'],
    ]),
  );
});

test('the only owner of a project with other members cannot be deleted', async () => {
  const cas = await hub.user('cas@example.com');
  const dan = await hub.user('dan@example.com');
  const { projectId } = await hub.as(cas, 'projects_CreateProject', { name: 'Farm' });
  await addMember(projectId, dan.userId);
  const before = await userRowsText(hub);
  expect(await hub.refusal(cas, 'users_DeleteUser', { userId: cas.userId })).toEqual({
    kind: 'Invalid',
    message:
      'The project "Farm" has other members and no other owner. Make one of them an owner, or delete the project, first.',
  });
  expect(await userRowsText(hub)).toBe(before);
  await hub.database.db.updateTable('project_members').set({ is_owner: true }).execute();
  await hub.as(system, 'users_DeleteUser', { userId: cas.userId });
  expect(await userRowsText(hub)).toContain('Farm');
});

test('the last administrator cannot be deleted, even when two are deleted concurrently', async () => {
  const one = await hub.user('one@example.com', { isAdmin: true });
  expect(await hub.refusal(one, 'users_DeleteUser', { userId: one.userId })).toEqual({
    kind: 'Invalid',
    message: 'The last administrator cannot be deleted.',
  });
  const two = await hub.user('two@example.com', { isAdmin: true });
  const outcomes = await Promise.allSettled([
    hub.as(one, 'users_DeleteUser', { userId: two.userId }),
    hub.as(two, 'users_DeleteUser', { userId: one.userId }),
  ]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const { users } = await hub.as(system, 'users_QueryUsers', {});
  expect(users.filter(({ isAdmin }) => isAdmin)).toHaveLength(1);
});
