import { expect, test } from 'vitest';
import { freshExecutor, system } from '../../../../test/fresh-executor.ts';
import { seedRepository } from '../../../../test/seed-repository.ts';
import { createUserToken, insertDevice, signIn, validPassword } from '../../../../test/test-users.ts';

test('lists what the deletion of a user deletes, ends and leaves, and why it is refused', async () => {
  await using hub = await freshExecutor();
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  const ann = await hub.user('ann@example.com', { password: validPassword });
  const bea = await hub.user('bea@example.com');
  const { userId } = ann;
  const alone = await hub.as(ann, 'projects_CreateProject', { name: 'Alone' });
  await insertDevice(hub, alone.projectId);
  const shared = await hub.as(bea, 'projects_CreateProject', { name: 'Shared' });
  await hub.as(system, 'projects_AddProjectMember', { projectId: shared.projectId, userId });
  const { repositoryId } = await seedRepository(hub, { owner: ann, name: 'images' });
  await createUserToken(hub, ann);
  await signIn(hub, 'ann@example.com', validPassword);
  const ask = () => hub.as(admin, 'users_GetUserDeletion', { userId });
  expect(await ask()).toEqual({
    projects: [{ projectId: alone.projectId, name: 'Alone', devices: 1 }],
    projectCount: 1,
    repositories: [{ repositoryId, name: 'images', packageCount: 0 }],
    repositoryCount: 1,
    membershipCount: 1,
    tokenCount: 1,
    sessionCount: 1,
  });
  await hub.as(system, 'projects_AddProjectMember', { projectId: alone.projectId, userId: bea.userId });
  const { refusal } = await ask();
  expect(refusal).toMatch(/^The project "Alone" has other members and no other owner\./);
  expect((await hub.refusal(admin, 'users_DeleteUser', { userId })).message).toBe(refusal);
  expect((await hub.refusal(bea, 'users_GetUserDeletion', { userId })).message).toBe('User not found.');
  const self = await hub.as(admin, 'users_GetUserDeletion', { userId: admin.userId });
  expect(self.refusal).toBe('The last administrator cannot be deleted.');
});
