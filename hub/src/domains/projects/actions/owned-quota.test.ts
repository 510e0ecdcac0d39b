import { ids, type Actor, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';

type User = Extract<Actor, { actor: 'User' }>;
const tooMany = {
  kind: 'Invalid',
  message:
    'One user may own at most 4 projects and repositories. Delete some that are no longer used, or ask an administrator for a larger quota.',
};

let hub: FreshExecutor;
let ada: User;
let eve: User;
let root: User;
const projects: Id<'project'>[] = [];
beforeAll(async () => {
  hub = await freshExecutor();
  ada = await hub.user('ada@example.org');
  eve = await hub.user('eve@example.org');
  root = await hub.user('root@example.org', { isAdmin: true });
  await setQuota(4);
  for (const name of ['a', 'b', 'c']) projects.push(await createProject(ada, name));
  await hub.as(ada, 'repositories_CreateRepository', { name: 'images' });
});
afterAll(() => hub[Symbol.asyncDispose]());

async function setQuota(most: number | null): Promise<void> {
  const setting = { key: 'ownedPerUser', value: JSON.stringify(most), changed_at: new Date() };
  await hub.database.db
    .insertInto('instance_settings')
    .values(setting)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(setting))
    .execute();
}

async function createProject(owner: User, name: string): Promise<Id<'project'>> {
  return (await hub.as(owner, 'projects_CreateProject', { name })).projectId;
}

const first = () => projects[0] as Id<'project'>;

test('a user at the limit of owned things creates nothing more until one is deleted', async () => {
  expect(await hub.refusal(ada, 'projects_CreateProject', { name: 'd' })).toEqual(tooMany);
  expect(await hub.refusal(ada, 'repositories_CreateRepository', { name: 'more' })).toEqual(tooMany);
  const last = projects.pop() as Id<'project'>;
  await hub.as(ada, 'projects_DeleteProject', { projectId: last });
  projects.push(await createProject(ada, 'd'));
});

test('nobody is made an owner beyond it, by another owner or by an administrator', async () => {
  const projectId = await createProject(eve, 'of Eve');
  await hub.as(system, 'projects_AddProjectMember', { projectId, userId: ada.userId });
  const role = { projectId, userId: ada.userId, isOwner: true };
  expect(await hub.refusal(eve, 'projects_SetProjectMemberRole', role)).toEqual(tooMany);
  const removal = { projectId, userId: eve.userId, newOwner: ada.userId };
  expect(await hub.refusal(root, 'projects_RemoveProjectMember', removal)).toEqual(tooMany);
  expect(await hub.refusal(root, 'projects_CreateProject', { name: 'x', owner: ada.userId })).toEqual(
    tooMany,
  );
});

test('creations at the same time do not exceed the limit', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) => createProject(eve, `p${index}`)),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
});

test('a user above the limit keeps everything, and a membership is no ownership', async () => {
  await setQuota(2);
  const { projects: kept } = await hub.as(ada, 'projects_QueryProjects', {});
  expect(kept.length).toBeGreaterThan(2);
  await hub.as(ada, 'projects_SetName', { projectId: first(), name: 'still mine' });
  const projectId = await createProject(root, 'joined');
  const raw = ids.project.raw(projectId);
  await hub.as(root, 'projects_AddProjectMember', { projectId, userId: ada.userId });
  const { rows } = await sql`select 1 from project_members where project_id = ${raw}`.execute(
    hub.database.db,
  );
  expect(rows).toHaveLength(2);
});

test('without a setting one may own 500', async () => {
  await hub.database.db.deleteFrom('instance_settings').execute();
  const bob = await hub.user('bob@example.org');
  await sql`with added as (insert into projects (project_id, name, created_at)
    select 'bob' || lpad(i::text, 19, 'a'), 'p', now() from generate_series(1, 499) i returning project_id)
    insert into project_members (project_id, user_id, is_owner, added_at)
    select project_id, ${ids.user.raw(bob.userId)}, true, now() from added`.execute(hub.database.db);
  await createProject(bob, 'the 500th');
  expect((await hub.refusal(bob, 'projects_CreateProject', { name: 'one more' })).message).toContain(
    'at most 500',
  );
});
