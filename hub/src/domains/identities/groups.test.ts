import { ids } from '@corral/contract';
import { expect, test } from 'vitest';
import type { Lies } from '../../../test/hostile-provider.ts';
import { audited, password, returning, scene, type Scene, sessionOf } from '../../../test/provider-scene.ts';

/** A hub with an administrator, a project of theirs, and somebody who is linked; what the provider says of groups is told at each sign-in. */
async function groupScene(lies: Lies = {}) {
  const parts = await scene(lies);
  const { hub, hostile } = parts;
  const { userId: adminId } = await hub.user('admin@example.com', { password, isAdmin: true });
  const { userId } = await hub.user('ann@example.com', { password });
  const [admin, ann] = [
    await hub.signIn('admin@example.com', password),
    await hub.signIn('ann@example.com', password),
  ];
  await (await returning(parts, { path: '/api/private/login/provider/link', cookie: ann })).come();
  const invoke = (name: string, input: unknown, cookie = admin) => hub.invoke(name, input, { cookie });
  const made = await invoke('projects_CreateProject', { name: 'Barn' });
  const projectId = String(made.json['projectId']);
  const map = (...lines: string[]) =>
    invoke('instance_SetInstanceSettingRaw', { key: 'oidcGroups', value: lines.join('\n') || null });
  const signIn = async (groups: unknown) => {
    hostile.lies = { userinfo: { groups } };
    const { headers } = await (await returning(parts)).come();
    return sessionOf(headers);
  };
  const member = () =>
    hub.database.db
      .selectFrom('project_members')
      .select(['is_owner', 'from_groups'])
      .where('user_id', '=', ids.user.raw(userId))
      .where('project_id', '=', ids.project.raw(projectId as never))
      .executeTakeFirst();
  const isAdmin = async (who = userId) =>
    (
      await hub.database.db
        .selectFrom('users')
        .select('is_admin')
        .where('user_id', '=', ids.user.raw(who))
        .executeTakeFirstOrThrow()
    ).is_admin;
  return { ...parts, adminId, userId, admin, projectId, invoke, map, signIn, member, isAdmin };
}

const leads = 'cn=leads,ou=groups';

test.each<[string, unknown, { isAdmin: boolean; isMember: boolean; isOwner: boolean }]>([
  ['a list with both', ['field', 'hub'], { isAdmin: true, isMember: true, isOwner: false }],
  ['a list with one', ['field'], { isAdmin: false, isMember: true, isOwner: false }],
  ['an owning group', ['field', leads], { isAdmin: false, isMember: true, isOwner: true }],
  ['a text', 'hub', { isAdmin: true, isMember: false, isOwner: false }],
  ['another spelling', ['Hub', 'field '], { isAdmin: false, isMember: false, isOwner: false }],
  ['an empty list', [], { isAdmin: false, isMember: false, isOwner: false }],
  ['an empty text', '', { isAdmin: false, isMember: false, isOwner: false }],
  ['nothing', undefined, { isAdmin: false, isMember: false, isOwner: false }],
])('of somebody without rights, %s gives what is mapped', async (_name, groups, gets) => {
  const { map, projectId, signIn, member, isAdmin } = await groupScene();
  const set = await map('hub = administrator', `field = ${projectId}`, `${leads} = ${projectId} owner`);
  expect(set.text).toBe('{}');
  await signIn(groups);
  expect(await isAdmin()).toBe(gets.isAdmin);
  expect(await member()).toEqual(
    gets.isMember ? { is_owner: gets.isOwner, from_groups: 'membership' } : undefined,
  );
});

test.each<[string, unknown, { isAdmin: boolean; isMember: boolean }]>([
  ['another list', ['other'], { isAdmin: false, isMember: false }],
  ['an empty list', [], { isAdmin: false, isMember: false }],
  ['an empty text', '', { isAdmin: false, isMember: false }],
  ['one of two', 'field', { isAdmin: false, isMember: true }],
  ['nothing', undefined, { isAdmin: true, isMember: true }],
  ['null', null, { isAdmin: true, isMember: true }],
])('of somebody whom groups gave rights, %s leaves what is still mapped', async (_name, groups, keeps) => {
  const { map, projectId, signIn, member, isAdmin, hub } = await groupScene();
  await map('hub = administrator', `field = ${projectId} owner`);
  await signIn(['field', 'hub']);
  expect([await isAdmin(), await member()]).toMatchObject([true, { is_owner: true }]);
  await signIn(groups);
  expect([await isAdmin(), (await member()) !== undefined]).toEqual([keeps.isAdmin, keeps.isMember]);
  expect(hub.logged().includes('the provider said nothing of groups')).toBe(keeps.isAdmin);
});

test('a mapping that is taken out takes its rights at the next sign-in, and nothing of the claim is asked then', async () => {
  const { map, projectId, signIn, member } = await groupScene();
  await map(`field = ${projectId}`);
  await signIn(['field']);
  await map();
  expect(await member()).toMatchObject({ from_groups: 'membership' });
  await signIn(undefined);
  expect(await member()).toBeUndefined();
});

test('groups take only what they gave: a membership by hand stays, and so does what was changed by hand', async () => {
  const { map, projectId, signIn, member, invoke, userId } = await groupScene();
  await map(`field = ${projectId}`, `leads = ${projectId} owner`);
  await invoke('projects_AddProjectMember', { projectId, userId });
  await signIn([]);
  expect(await member()).toEqual({ is_owner: false, from_groups: null });
  await signIn(['field', 'leads']);
  expect(await member()).toEqual({ is_owner: true, from_groups: 'ownership' });
  await signIn(['field']);
  expect(await member()).toEqual({ is_owner: false, from_groups: null });
  await invoke('projects_RemoveProjectMember', { projectId, userId });
  await signIn(['field']);
  expect(await member()).toEqual({ is_owner: false, from_groups: 'membership' });
  await signIn(['leads']);
  expect(await member()).toEqual({ is_owner: true, from_groups: 'membership' });
  await invoke('projects_SetProjectMemberRole', { projectId, userId, isOwner: false });
  await signIn([]);
  expect(await member()).toEqual({ is_owner: false, from_groups: null });
});

test('whom an administrator made one stays one, and a group that takes it away later is none', async () => {
  const { map, signIn, isAdmin, invoke, userId } = await groupScene();
  await map('hub = administrator');
  await invoke('users_SetUserIsAdmin', { userId, isAdmin: true });
  await signIn(['hub']);
  await signIn([]);
  expect(await isAdmin()).toBe(true);
  await invoke('users_SetUserIsAdmin', { userId, isAdmin: false });
  await signIn(['hub']);
  expect(await isAdmin()).toBe(true);
  await signIn([]);
  expect(await isAdmin()).toBe(false);
});

test('whom a group made an administrator stays one if a person, or the operator of the machine, makes them one too', async () => {
  const { map, signIn, isAdmin, invoke, userId } = await groupScene();
  await map('hub = administrator');
  await signIn(['hub']);
  expect((await invoke('users_SetUserIsAdmin', { userId, isAdmin: true })).text).toBe('{}');
  await signIn([]);
  expect(await isAdmin()).toBe(true);
});

test('the last administrator stays one, and the last owner of a project', async () => {
  const { map, projectId, signIn, isAdmin, member, invoke, userId, adminId, hub } = await groupScene();
  await map('hub = administrator', `leads = ${projectId} owner`);
  const cookie = await signIn(['hub', 'leads']);
  await hub.database.db.updateTable('user_sessions').set({ stepped_up_at: new Date() }).execute();
  const byAnn = (name: string, input: unknown) => invoke(name, input, cookie);
  expect((await byAnn('users_SetUserIsAdmin', { userId: adminId, isAdmin: false })).text).toBe('{}');
  expect((await byAnn('projects_RemoveProjectMember', { projectId, userId: adminId })).text).toBe('{}');
  await signIn([]);
  expect([await isAdmin(), await member()]).toEqual([true, { is_owner: true, from_groups: 'membership' }]);
  const back = await signIn(['hub']);
  await hub.database.db.updateTable('user_sessions').set({ stepped_up_at: new Date() }).execute();
  await invoke('users_SetUserIsAdmin', { userId: adminId, isAdmin: true }, back);
  await invoke('projects_AddProjectMember', { projectId, userId: adminId, isOwner: true }, back);
  await signIn([]);
  expect([await isAdmin(), await member()]).toEqual([false, undefined]);
  expect(userId).not.toBe(adminId);
});

test('two administrators whom groups made so, and who lose it at once, are not both demoted', async () => {
  // All is said in the ID token, which the next people have.
  const { map, hub, hostile, userId, adminId, ...parts } = await groupScene({
    discovery: { userinfo_endpoint: undefined },
  });
  const both: Scene = { hub, hostile };
  const { userId: beaId } = await hub.user('bea@example.com', { password });
  const bea = await hub.signIn('bea@example.com', password);
  hostile.nextPeople = [{ sub: 'bea' }];
  await (await returning(both, { path: '/api/private/login/provider/link', cookie: bea })).come();
  await map('hub = administrator');
  for (const sub of ['ann', 'bea']) {
    hostile.nextPeople = [{ sub, groups: ['hub'] }];
    await (await returning(both)).come();
  }
  expect([await parts.isAdmin(userId), await parts.isAdmin(beaId)]).toEqual([true, true]);
  await hub.database.db
    .updateTable('users')
    .set({ is_admin: false })
    .where('user_id', '=', ids.user.raw(adminId))
    .execute();
  const leaving = [await returning(both), await returning(both)] as const;
  hostile.nextPeople = [
    { sub: 'ann', groups: [] },
    { sub: 'bea', groups: [] },
  ];
  const back = await Promise.all(leaving.map(({ come }) => come()));
  expect(back.map(({ headers }) => sessionOf(headers) !== '')).toEqual([true, true]);
  const left = [await parts.isAdmin(userId), await parts.isAdmin(beaId)];
  expect(left.filter(Boolean)).toHaveLength(1);
});

test('who is disabled stays so, and gets nothing of groups', async () => {
  const { map, projectId, signIn, isAdmin, member, invoke, userId } = await groupScene();
  await map('hub = administrator', `field = ${projectId}`);
  await invoke('users_SetUserIsDisabled', { userId, isDisabled: true });
  expect(await signIn(['hub', 'field'])).toBe('');
  expect([await isAdmin(), await member()]).toEqual([false, undefined]);
});

test('what groups give and take is in the audit log, by the hub, about the user; sessions see it as by the usual commands', async () => {
  const { map, projectId, signIn, hub, userId, invoke } = await groupScene();
  await map('hub = administrator', `field = ${projectId}`);
  const events: string[] = [];
  hub.bus.subscribe(({ name }) => void events.push(name));
  const cookie = await signIn(['hub', 'field']);
  const sees = async () => (await invoke('users_QueryUsers', {}, cookie)).status;
  expect(await sees()).toBe(200);
  await signIn([]);
  expect(await sees()).toBe(403);
  expect((await invoke('projects_GetProjectDetails', { projectId }, cookie)).status).toBe(400);
  for (const name of ['users_SetIsAdmin', 'projects_MemberAdded', 'projects_MemberRemoved']) {
    await expect.poll(() => events).toContain(name);
    const rows = (await audited(hub, name)).filter((row) => JSON.stringify(row).includes('fromGroups'));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toMatchObject({ actor: { actor: 'System' } });
    expect(JSON.stringify(rows)).toContain(userId);
  }
});

test('an owner by a group is a member where the quota of owned projects is used up', async () => {
  const { map, projectId, signIn, member, invoke } = await groupScene();
  await map(`leads = ${projectId} owner`);
  await invoke('instance_SetInstanceSettingRaw', { key: 'ownedPerUser', value: '1' });
  const cookie = await signIn([]);
  await invoke('projects_CreateProject', { name: 'Own' }, cookie);
  await signIn(['leads']);
  expect(await member()).toEqual({ is_owner: false, from_groups: 'membership' });
});

test('a mapping is set by administrators with a proof, to projects that exist, in lines that can be read', async () => {
  const { map, projectId, invoke, signIn, hub } = await groupScene();
  for (const lines of [
    'leads',
    'leads = owner',
    '= administrator',
    'leads = p_1',
    'leads = administrator owner',
  ])
    expect((await map(lines)).text).toContain('must be lines such as');
  const other = `p_${'1'.repeat(22)}`;
  expect((await map(`leads = ${projectId}`, `field = ${other}`)).text).toContain(
    `There is no project ${other}.`,
  );
  const set = (cookie: string) =>
    invoke('instance_SetInstanceSettingRaw', { key: 'oidcGroups', value: 'ann = administrator' }, cookie);
  expect((await set(await signIn([]))).status).toBe(403);
  hub.advance(601);
  expect((await map('hub = administrator')).text).toContain('StepUpWanted');
});
