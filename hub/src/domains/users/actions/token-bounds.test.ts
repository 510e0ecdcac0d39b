import { ids, type ActionName, type Actor, type CallInput } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import {
  byToken,
  seedDevice,
  seedProject,
  type SeededProject,
  type Somebody,
} from '../../../../test/seed.ts';
import { seedCatalogue, type Catalogue } from '../../../../test/seed-repository.ts';
import { auditedStatuses } from '../../../../test/test-users.ts';
import { TakeDueMail } from '../internal/TakeDueMail.ts';
import { AnnounceExpiringTokens } from '../internal/AnnounceExpiringTokens.ts';
import { AuthenticateWithUserToken } from '../internal/AuthenticateWithUserToken.ts';
import { FindEndedTokens } from '../internal/FindEndedTokens.ts';

const daySecs = 86_400;
const invalid = { kind: 'NotSignedIn', message: 'The user token is not valid.' };
const readsOnly = {
  kind: 'Forbidden',
  message: 'This token may only read. Use a token with full access.',
};
const certainOnly = {
  kind: 'Forbidden',
  message: 'This token is for certain projects and repositories only. Use a token for all of them.',
};

let hub: FreshExecutor;
let project: SeededProject;
let other: SeededProject;
let owner: Somebody;
let device: Awaited<ReturnType<typeof seedDevice>>;
let inside: Catalogue;
let linked: Catalogue;
let outside: Catalogue;
let publicOne: Catalogue;

beforeAll(async () => {
  hub = await freshExecutor();
  project = await seedProject(hub);
  owner = project.owner;
  const { projectId } = await hub.as(owner, 'projects_CreateProject', { name: 'Other' });
  other = { projectId, owner };
  device = await seedDevice(hub, project);
  [inside, linked, outside] = [
    await seedCatalogue(hub, { owner }),
    await seedCatalogue(hub, { owner }),
    await seedCatalogue(hub, { owner }),
  ];
  publicOne = await seedCatalogue(hub, { owner, visibility: 'Public' });
  const { repositoryId } = linked;
  await hub.as(owner, 'projects_AddProjectRepository', { projectId: other.projectId, repositoryId });
});
afterAll(() => hub[Symbol.asyncDispose]());

const create = (user: Somebody, bounds: Omit<CallInput<'users_CreateUserToken'>, 'userId'>) =>
  hub.refusal(user, 'users_CreateUserToken', { userId: user.userId, ...bounds });
const inDays = (days: number) => new Date(hub.now().getTime() + days * daySecs * 1000).toISOString();
const listed = async (user: Somebody) =>
  (await hub.as(user, 'users_QueryUserTokens', { userId: user.userId })).tokens;

describe('a token that may only read', () => {
  let token: Actor;
  beforeAll(async () => void (token = await byToken(hub, owner, { access: 'read' })));

  test('calls queries and downloads', async () => {
    const { projectId } = project;
    expect((await hub.as(token, 'projects_QueryProjectDevices', { projectId })).devices).toHaveLength(1);
    const { assetId } = inside;
    expect((await hub.as(token, 'repositories_IssueAssetDownloadUrl', { assetId })).url).toMatch(/^http/);
  });

  test.each<[ActionName, () => object]>([
    ['projects_CreateProject', () => ({ name: 'x' })],
    ['devices_SetDeviceName', () => ({ deviceId: device.deviceId, name: 'x' })],
    ['devices_IssueDeviceHttpProxyToken', () => ({ deviceId: device.deviceId })],
    ['repositories_CreatePackage', () => ({ repositoryId: inside.repositoryId, name: 'x' })],
    ['repositories_DeleteRepository', () => ({ repositoryId: inside.repositoryId })],
    ['users_SetUserDisplayName', () => ({ userId: owner.userId, displayName: 'x' })],
  ])('is refused %s, on the record', async (name, input) => {
    expect(await hub.refusal(token, name, input())).toEqual(readsOnly);
    expect((await auditedStatuses(hub, name)).at(-1)).toBe('Failed');
  });

  test('opens no port of a device', async () => {
    const question = { userId: owner.userId, deviceId: device.deviceId as never };
    expect(await hub.as(token, 'users_GetDevicePermissions', question)).toEqual({ hasAccess: false });
    expect(await hub.as(owner, 'users_GetDevicePermissions', question)).toEqual({ hasAccess: true });
  });
});

describe('a token for one project and one repository', () => {
  let token: Actor;
  beforeAll(async () => {
    const bounds = { projects: [project.projectId], repositories: [inside.repositoryId] };
    token = await byToken(hub, owner, bounds);
  });

  test('reaches these, with the rights of its user', async () => {
    const { projectId } = project;
    expect(await hub.as(token, 'projects_GetProjectDetails', { projectId })).toMatchObject({ projectId });
    expect(await hub.as(token, 'projects_SetName', { projectId, name: 'Plant' })).toEqual({});
    const { repositoryId } = inside;
    const created = await hub.as(token, 'repositories_CreatePackage', { repositoryId, name: 'by-token' });
    expect(created.result).toBe('Created');
    const question = { userId: owner.userId, deviceId: device.deviceId as never };
    expect(await hub.as(token, 'users_GetDevicePermissions', question)).toEqual({ hasAccess: true });
  });

  test.each<[ActionName, () => object, string]>([
    ['projects_GetProjectDetails', () => ({ projectId: other.projectId }), 'Project not found.'],
    ['projects_DeleteProject', () => ({ projectId: other.projectId }), 'Project not found.'],
    [
      'repositories_GetRepositoryDetails',
      () => ({ repositoryId: outside.repositoryId }),
      'Repository not found.',
    ],
    [
      'repositories_GetRepositoryDetails',
      () => ({ repositoryId: linked.repositoryId }),
      'Repository not found.',
    ],
    ['repositories_GetPackageDetails', () => ({ packageId: outside.packageId }), 'Package not found.'],
    ['repositories_IssueAssetDownloadUrl', () => ({ assetId: outside.assetId }), 'Asset not found.'],
    [
      'projects_AddProjectRepository',
      () => ({ projectId: project.projectId, repositoryId: outside.repositoryId }),
      'Repository not found.',
    ],
  ])('finds nothing else: %s', async (name, input, message) => {
    expect(await hub.refusal(token, name, input())).toEqual({ kind: 'Invalid', message });
  });

  test('lists these only', async () => {
    const { userId } = owner;
    const projects = await hub.as(token, 'projects_QueryProjects', {});
    expect(projects.projects.map(({ projectId }) => projectId)).toEqual([project.projectId]);
    const own = await hub.as(token, 'users_QueryUserProjects', { userId });
    expect(own.projects.map(({ projectId }) => projectId)).toEqual([project.projectId]);
    const { devices } = await hub.as(token, 'devices_QueryDevices', {});
    expect(devices.map(({ projectId }) => projectId)).toEqual([project.projectId]);
    const { repositories } = await hub.as(token, 'users_QueryUserRepositories', {
      userId,
      includeLinked: true,
    });
    expect(repositories.map(({ repositoryId }) => repositoryId)).toEqual([inside.repositoryId]);
  });

  test('reads a public repository as everybody does, and cannot write to it', async () => {
    const { repositoryId } = publicOne;
    expect(await hub.as(token, 'repositories_GetRepositoryDetails', { repositoryId })).toMatchObject({
      repositoryId,
    });
    expect((await hub.refusal(token, 'repositories_CreatePackage', { repositoryId, name: 'x' })).kind).toBe(
      'Forbidden',
    );
  });

  test('creates no project and no repository, and leaves the account alone', async () => {
    expect(await hub.refusal(token, 'projects_CreateProject', { name: 'x' })).toEqual(certainOnly);
    expect(await hub.refusal(token, 'repositories_CreateRepository', { name: 'x' })).toEqual(certainOnly);
    const name = { userId: owner.userId, displayName: 'x' };
    expect(await hub.refusal(token, 'users_SetUserDisplayName', name)).toEqual(certainOnly);
  });

  test('reaches a repository through a project that it reaches', async () => {
    const member = await hub.user('linked-reader@example.org');
    const { projectId } = other;
    await hub.as(system, 'projects_AddProjectMember', { projectId, userId: member.userId });
    const { repositoryId } = linked;
    const through = await byToken(hub, member, { projects: [projectId] });
    const without = await byToken(hub, member, { projects: [] });
    expect(await hub.as(through, 'repositories_GetRepositoryDetails', { repositoryId })).toMatchObject({
      repositoryId,
    });
    expect((await hub.refusal(without, 'repositories_GetRepositoryDetails', { repositoryId })).message).toBe(
      'Repository not found.',
    );
  });
});

describe('a token with the rights of an administrator', () => {
  test('has them while its user is one, but changes neither passwords, administrators nor settings', async () => {
    const admin = await hub.user('admin@example.org', { isAdmin: true });
    const second = await hub.user('second@example.org', { isAdmin: true });
    const token = await byToken(hub, second, { administrator: true });
    const plain = await byToken(hub, second);
    const { projectId } = project;
    expect((await hub.refusal(plain, 'users_QueryUsers', {})).kind).toBe('Forbidden');
    expect((await hub.as(token, 'users_QueryUsers', {})).users.length).toBeGreaterThan(2);
    expect(await hub.as(token, 'projects_GetProjectDetails', { projectId })).toMatchObject({ projectId });
    expect(
      await hub.as(token, 'repositories_GetRepositoryDetails', { repositoryId: outside.repositoryId }),
    ).toBeDefined();
    expect(await hub.as(token, 'users_CreateUser', { email: 'made@example.org' })).toMatchObject({
      result: 'Created',
    });
    for (const [name, input] of [
      ['users_SetUserIsAdmin', { userId: owner.userId, isAdmin: true }],
      ['users_CreateUser', { email: 'b@example.org', isAdmin: true }],
      ['users_CreateUser', { email: 'b@example.org', password: 'a long enough password 7' }],
      ['users_SetUserPassword', { userId: second.userId, password: 'a long enough password 7' }],
      ['users_CreateUserToken', { userId: second.userId }],
      ['users_DeleteUser', { userId: owner.userId }],
      ['instance_SetInstanceSettingRaw', { key: 'registration', value: 'closed' }],
    ] as const)
      expect((await hub.refusal(token, name, input)).kind, name).toBe('Forbidden');
    await hub.as(admin, 'users_SetUserIsAdmin', { userId: second.userId, isAdmin: false });
    expect((await hub.refusal(token, 'users_QueryUsers', {})).kind).toBe('Forbidden');
    expect((await hub.refusal(token, 'projects_GetProjectDetails', { projectId })).message).toBe(
      'Project not found.',
    );
  });

  test('is made by administrators only, for one, and without other bounds', async () => {
    const admin = await hub.user('third@example.org', { isAdmin: true });
    expect((await create(owner, { administrator: true })).message).toBe(
      'Only administrators may make a token with the rights of an administrator.',
    );
    const forOwner = { userId: owner.userId, administrator: true };
    expect((await hub.refusal(admin, 'users_CreateUserToken', forOwner)).message).toBe(
      'Only a token of an administrator can have the rights of one.',
    );
    expect((await create(admin, { administrator: true, projects: [] })).message).toBe(
      'A token with the rights of an administrator reaches all projects and repositories. Leave them out.',
    );
  });
});

describe('a token that expires', () => {
  test('does so after 90 days, or when it says', async () => {
    const user = await hub.user('expiring@example.org');
    const token = await byToken(hub, user);
    const [first] = await listed(user);
    expect(first).toMatchObject({ access: 'full', administrator: false });
    expect(Date.parse(first?.expiresAt ?? '')).toBe(Date.parse(inDays(90)));
    hub.advance(1);
    const short = await byToken(hub, user, { expiresAt: inDays(1), access: 'read', projects: [] });
    expect((await listed(user))[0]).toMatchObject({ access: 'read', projects: [], tokenId: short.tokenId });
    hub.advance(daySecs);
    expect(await hub.refusal(short, 'actor_GetActor', {})).toEqual(invalid);
    expect(await hub.as(token, 'actor_GetActor', {})).toMatchObject({ actor: { actor: 'UserToken' } });
    const tokenIds = [short.tokenId, token.tokenId] as never;
    expect(await hub.run(FindEndedTokens, { tokenIds })).toEqual({ ended: [short.tokenId] });
  });

  test('takes its days from the caller, whose clock does not matter', async () => {
    const user = await hub.user('days@example.org');
    await byToken(hub, user, { validForDays: 7 });
    expect(Date.parse((await listed(user))[0]?.expiresAt ?? '')).toBe(Date.parse(inDays(7)));
    const { userId } = user;
    for (const days of [
      { validForDays: 0 },
      { validForDays: 367 },
      { validForDays: 7, expiresAt: inDays(7) },
    ])
      expect(await hub.refusal(user, 'users_CreateUserToken', { userId, ...days })).toEqual({
        kind: 'Invalid',
        message: expect.stringMatching(/^(A token may be good for 1 to 366 days|Give either .* not both)\.$/),
      });
  });

  test('is not admitted any more, and neither is a deleted one that is still connected', async () => {
    const user = await hub.user('late@example.org');
    const { userId } = user;
    const made = await hub.as(user, 'users_CreateUserToken', { userId, expiresAt: inDays(1) });
    const actor: Actor = { actor: 'UserToken', kind: 'UserToken', userId, tokenId: made.tokenId };
    hub.advance(daySecs);
    expect(await hub.run(AuthenticateWithUserToken, { token: made.token })).toEqual({
      result: 'Invalid',
    });
    const deleted = await byToken(hub, user);
    await hub.as(user, 'users_DeleteUserToken', { tokenId: deleted.tokenId as never });
    for (const caller of [actor, deleted])
      expect(await hub.refusal(caller, 'projects_QueryProjects', {})).toEqual(invalid);
  });

  test.each([-1, 0, 367])('cannot be made for %d days', async (days) => {
    expect(await create(owner, { expiresAt: inDays(days) })).toEqual({
      kind: 'Invalid',
      message: 'A token must expire in the future, within 366 days.',
    });
  });

  test('is announced once by e-mail a week before, and deleted a month after', async () => {
    const user = await hub.user('announced@example.org');
    await byToken(hub, user, { expiresAt: inDays(30) });
    await byToken(hub, user, { expiresAt: inDays(6) });
    await hub.database.db.deleteFrom('queued_mails').where('kind', '=', 'TokenCreated').execute();
    const mailsOf = () =>
      hub.database.db
        .selectFrom('queued_mails')
        .select(['kind', 'token_id'])
        .where('user_id', '=', ids.user.raw(user.userId))
        .execute();
    const upkeep = () => hub.run(AnnounceExpiringTokens);
    hub.advance(22 * daySecs);
    await upkeep();
    expect(await mailsOf()).toEqual([]);
    hub.advance(2 * daySecs);
    await upkeep();
    await upkeep();
    expect(await mailsOf()).toMatchObject([{ kind: 'TokenExpiring' }]);
    expect(await hub.run(TakeDueMail)).toMatchObject({
      kind: 'TokenExpiring',
      to: 'announced@example.org',
      expiresAt: expect.any(String),
    });
    expect(await listed(user)).toHaveLength(2);
    hub.advance(40 * daySecs);
    await upkeep();
    expect(await listed(user)).toEqual([]);
    expect(hub.emittedEvents.at(-1)).toMatchObject({ name: 'users_TokenDeleted' });
  });
});

test('a token is never wider than its user: only its own projects and repositories can be named', async () => {
  const stranger = await hub.user('stranger@example.org');
  expect((await create(stranger, { projects: [project.projectId] })).message).toBe('Project not found.');
  expect((await create(stranger, { repositories: [inside.repositoryId] })).message).toBe(
    'Repository not found.',
  );
  const many = Array.from({ length: 101 }, () => project.projectId);
  expect((await create(owner, { projects: many })).message).toMatch(/may have at most 100 entries/);
});

test('a token may ask what it may do', async () => {
  const { projectId } = project;
  const ownToken = async (bounds: Parameters<typeof byToken>[2]) =>
    (await hub.as(await byToken(hub, owner, bounds), 'actor_GetActor', {})).token;
  expect(await ownToken({ access: 'read', projects: [projectId], expiresAt: inDays(3) })).toEqual({
    access: 'read',
    projects: [projectId],
    administrator: false,
    expiresAt: expect.any(String),
  });
  expect(await ownToken({})).toMatchObject({ access: 'full', administrator: false });
  expect(await hub.as(owner, 'actor_GetActor', {})).not.toHaveProperty('token');
});
