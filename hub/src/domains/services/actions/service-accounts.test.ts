import { ids, type ActionName, type Actor, type Id } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import {
  byToken,
  seedMember,
  seedProject,
  type SeededProject,
  type Somebody,
} from '../../../../test/seed.ts';
import { seedCatalogue, type Catalogue } from '../../../../test/seed-repository.ts';
import { renderEmail } from '../../../platform/mail/render-email.ts';
import { AnnounceExpiringTokens } from '../../users/internal/AnnounceExpiringTokens.ts';
import { TakeDueMail } from '../../users/internal/TakeDueMail.ts';
import { AuthenticateWithUserToken } from '../../users/internal/AuthenticateWithUserToken.ts';

const absentUser = { kind: 'Invalid', message: 'User not found.' };

let hub: FreshExecutor;
let project: SeededProject;
let owner: Somebody;
let member: Somebody;
let admin: Somebody;
let catalogue: Catalogue;
let ofProject: Somebody;
let ofRepository: Somebody;

const asUser = (userId: Id<'user'>): Somebody => ({ actor: 'User', kind: 'User', userId });

beforeAll(async () => {
  hub = await freshExecutor();
  project = await seedProject(hub);
  ({ owner } = project);
  member = await seedMember(hub, project);
  admin = await hub.user('admin@example.org', { isAdmin: true });
  catalogue = await seedCatalogue(hub, { owner });
  const { projectId } = project;
  const { repositoryId } = catalogue;
  ofProject = asUser(
    (await hub.as(owner, 'projects_CreateProjectServiceAccount', { projectId, name: 'Rollout' })).userId,
  );
  ofRepository = asUser(
    (await hub.as(owner, 'repositories_CreateRepositoryServiceAccount', { repositoryId, name: 'Build' }))
      .userId,
  );
});
afterAll(() => hub[Symbol.asyncDispose]());

/** A token of a service account, made by an owner. */
async function tokenOf(
  { userId }: Somebody,
  bounds: object = {},
): Promise<Extract<Actor, { actor: 'UserToken' }>> {
  const { tokenId } = await hub.as(owner, 'users_CreateUserToken', { userId, ...bounds });
  return { actor: 'UserToken', kind: 'UserToken', userId, tokenId };
}

test('an owner makes service accounts, members list them, and a token of one acts there as a member', async () => {
  const { projectId } = project;
  const { repositoryId, packageId } = catalogue;
  const token = await tokenOf(ofRepository, { verbs: ['publish'], repositories: [repositoryId] });
  await hub.as(token, 'repositories_CreatePackageVersion', { packageId, tags: [] });
  expect(
    (await hub.as(member, 'projects_QueryProjectServiceAccounts', { projectId })).serviceAccounts,
  ).toMatchObject([{ userId: ofProject.userId, name: 'Rollout', tokenCount: 0 }]);
  const listed = await hub.as(owner, 'repositories_QueryRepositoryServiceAccounts', { repositoryId });
  expect(listed.serviceAccounts).toMatchObject([{ name: 'Build', tokenCount: 1 }]);
  const { repositoryId: other } = await seedCatalogue(hub, { owner });
  expect(
    await hub.refusal(token, 'repositories_GetRepositoryDetails', { repositoryId: other }),
  ).toMatchObject({
    message: 'Repository not found.',
  });
});

test('only owners, by session, make and delete them and their tokens', async () => {
  const { projectId } = project;
  const { userId } = ofProject;
  const calls: [ActionName, object][] = [
    ['users_CreateUserToken', { userId }],
    ['users_QueryUserTokens', { userId }],
    ['users_DeleteServiceAccount', { userId }],
    ['projects_CreateProjectServiceAccount', { projectId, name: 'x' }],
  ];
  const own = await tokenOf(ofProject);
  const ownersToken = await byToken(hub, owner);
  for (const [name, input] of calls) {
    expect((await hub.refusal(member, name, input)).message).toMatch(/not found\.$|Only an owner/);
    for (const token of [own, ownersToken])
      expect((await hub.refusal(token, name, input)).message).toMatch(/^A user token may not do this/);
  }
  const { tokenId } = await hub.as(admin, 'users_CreateUserToken', { userId });
  expect((await hub.refusal(member, 'users_DeleteUserToken', { tokenId })).message).toBe('Token not found.');
  await hub.as(owner, 'users_DeleteUserToken', { tokenId });
  expect(hub.emittedEvents.at(-2)).toMatchObject({ name: 'users_TokenDeleted', data: { projectId, userId } });
});

test('it never becomes a person: no password, link, right, role, other membership or project of its own', async () => {
  const { userId } = ofProject;
  const { projectId } = await seedProject(hub);
  const ours = project.projectId;
  const calls: [Actor, ActionName, object][] = [
    [admin, 'users_SetUserPassword', { userId, password: 'a long enough password 7' }],
    [admin, 'users_IssuePasswordLink', { userId }],
    [admin, 'users_SendPasswordLink', { userId }],
    [admin, 'users_SetUserIsAdmin', { userId, isAdmin: true }],
    [admin, 'users_SetUserIsDisabled', { userId, isDisabled: true }],
    [admin, 'users_DeleteUser', { userId }],
    [admin, 'projects_AddProjectMember', { projectId, userId }],
    [admin, 'projects_CreateProject', { name: 'x', owner: userId }],
  ];
  for (const [by, name, input] of calls)
    expect([name, await hub.refusal(by, name, input)]).toEqual([name, absentUser]);
  const role = { projectId: ours, userId, isOwner: true };
  expect((await hub.refusal(owner, 'projects_SetProjectMemberRole', role)).message).toMatch(
    /not found|no member/,
  );
  const removed = { projectId: ours, userId };
  expect((await hub.refusal(owner, 'projects_RemoveProjectMember', removed)).message).toMatch(
    /not found|no member/,
  );
  expect(await hub.refusal(await tokenOf(ofProject), 'projects_CreateProject', { name: 'x' })).toEqual(
    absentUser,
  );
  expect(await hub.refusal(admin, 'users_CreateUserToken', { userId, administrator: true })).toEqual({
    kind: 'Invalid',
    message: 'Only a token of an administrator can have the rights of one.',
  });
});

test('its own full token does not rename it', async () => {
  const { userId } = ofProject;
  const renamed = { userId, displayName: 'Ann' };
  expect(await hub.refusal(await tokenOf(ofProject), 'users_SetUserDisplayName', renamed)).toEqual(
    absentUser,
  );
});

test('it is in no list and no count of people', async () => {
  const { projectId } = project;
  const { repositoryId } = catalogue;
  const { users: all } = await hub.as(admin, 'users_QueryUsers', {});
  const { users: members } = await hub.as(owner, 'projects_QueryProjectMembers', { projectId });
  const { members: readers } = await hub.as(owner, 'repositories_QueryRepositoryMembers', { repositoryId });
  const shown = [...all, ...members, ...readers].map(({ userId }) => userId);
  expect(shown).not.toContain(ofProject.userId);
  expect(shown).not.toContain(ofRepository.userId);
  expect((await hub.as(admin, 'users_CountUsers', {})).users).toBe(all.length);
  expect((await hub.as(owner, 'projects_GetProjectDetails', { projectId })).memberCount).toBe(members.length);
});

describe('what ends a service account', () => {
  const authenticates = async (token: string) =>
    (await hub.run(AuthenticateWithUserToken, { token: ids.userToken.schema.parse(token) })).result;

  test('its deletion, and that of its project, but not the leaving of who made it', async () => {
    const { projectId, owner: maker } = await seedProject(hub);
    const colleague = await seedMember(hub, { projectId, owner: maker });
    await hub.as(maker, 'projects_SetProjectMemberRole', {
      projectId,
      userId: colleague.userId,
      isOwner: true,
    });
    const make = async (name: string) => {
      const { userId } = await hub.as(maker, 'projects_CreateProjectServiceAccount', { projectId, name });
      return { userId, ...(await hub.as(maker, 'users_CreateUserToken', { userId })) };
    };
    const [one, two] = [await make('one'), await make('two')];
    await hub.as(maker, 'users_DeleteUser', { userId: maker.userId });
    expect(await authenticates(one.token)).toBe('Authenticated');
    await hub.as(colleague, 'users_DeleteServiceAccount', { userId: one.userId });
    expect([await authenticates(one.token), await authenticates(two.token)]).toEqual([
      'Invalid',
      'Authenticated',
    ]);
    // The account of the last owner goes with its project, whose only other member is no person.
    await hub.as(colleague, 'users_DeleteUser', { userId: colleague.userId });
    expect(await authenticates(two.token)).toBe('Invalid');
    const left = await hub.database.db
      .selectFrom('users')
      .select('user_id')
      .where('user_id', '=', ids.user.raw(two.userId))
      .execute();
    expect(left).toEqual([]);
  });
});

test('the audit log of the project names its account, its tokens and what it did', async () => {
  const { projectId, owner: maker } = await seedProject(hub);
  const { userId } = await hub.as(maker, 'projects_CreateProjectServiceAccount', {
    projectId,
    name: 'Nightly',
  });
  await hub.as(maker, 'users_CreateUserToken', { userId });
  const { events } = await hub.as(maker, 'projects_QueryAuditLog', { projectId });
  expect(events.map(({ event, data }) => [event, data])).toEqual(
    expect.arrayContaining([
      ['users_ServiceAccountCreated', { userId, name: 'Nightly', projectId }],
      ['users_TokenCreated', expect.objectContaining({ userId, projectId })],
    ]),
  );
});

test('the e-mail about the end of a token leads its owners to where the account belongs', async () => {
  const ownHub = await freshExecutor();
  onTestFinished(() => ownHub[Symbol.asyncDispose]());
  const { projectId, owner: maker } = await seedProject(ownHub);
  const { repositoryId } = await seedCatalogue(ownHub, { owner: maker });
  const { userId: first } = await ownHub.as(maker, 'projects_CreateProjectServiceAccount', {
    projectId,
    name: 'x',
  });
  const { userId: second } = await ownHub.as(maker, 'repositories_CreateRepositoryServiceAccount', {
    repositoryId,
    name: 'y',
  });
  for (const userId of [first, second, maker.userId]) {
    await ownHub.as(maker, 'users_CreateUserToken', { userId, validForDays: 8 });
    await ownHub.database.db.deleteFrom('queued_mails').execute();
    ownHub.advance(2 * 86_400);
    await ownHub.run(AnnounceExpiringTokens);
    const mail = await ownHub.run(TakeDueMail);
    if (mail === undefined) throw new Error('There is no e-mail.');
    const path = {
      [first]: `/projects/${projectId}/settings`,
      [second]: `/repositories/${repositoryId}/settings`,
      [maker.userId]: '/settings/security',
    }[userId];
    expect(renderEmail(mail, 'https://hub.example').link).toBe(`https://hub.example${path}`);
  }
});

test('the log of the project says, too, that an expired token of its account is gone', async () => {
  const ownHub = await freshExecutor();
  onTestFinished(() => ownHub[Symbol.asyncDispose]());
  const { projectId, owner: maker } = await seedProject(ownHub);
  const { userId } = await ownHub.as(maker, 'projects_CreateProjectServiceAccount', { projectId, name: 'x' });
  await ownHub.as(maker, 'users_CreateUserToken', { userId, name: 'nightly', validForDays: 1 });
  ownHub.advance(32 * 86_400);
  await ownHub.run(AnnounceExpiringTokens);
  expect(ownHub.emittedEvents.at(-1)).toMatchObject({
    name: 'users_TokenDeleted',
    data: { userId, name: 'nightly', projectId },
  });
});
