import { type ActionName, actions, type Actor, ids, type TokenVerb } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { sampleInput, type NamedThings } from '../../../../test/sample-inputs.ts';
import {
  byToken,
  seedDevice,
  seedProject,
  type SeededProject,
  type Somebody,
} from '../../../../test/seed.ts';
import { seedCatalogue, type Catalogue } from '../../../../test/seed-repository.ts';
import { absentName } from '../../../../test/two-projects.ts';
import { AuthenticateWithUserToken } from '../internal/AuthenticateWithUserToken.ts';
import { handlers } from '../../handlers.ts';

const verbs: readonly TokenVerb[] = ['read', 'publish', 'forward', 'operate', 'manage'];
const lacks = (verb: string) => `This needs a token with the verb ${verb}, which this one has not.`;
const none = 'A token with verbs may not do this.';

let hub: FreshExecutor;
let project: SeededProject;
let owner: Somebody;
let admin: Somebody;
let catalogue: Catalogue;
let deviceId: Awaited<ReturnType<typeof seedDevice>>['deviceId'];

beforeAll(async () => {
  hub = await freshExecutor();
  project = await seedProject(hub);
  ({ owner } = project);
  admin = await hub.user('admin@example.org', { isAdmin: true });
  catalogue = await seedCatalogue(hub, { owner });
  ({ deviceId } = await seedDevice(hub, project));
});
afterAll(() => hub[Symbol.asyncDispose]());

const create = (bounds: object, by: Actor = owner, userId = owner.userId) =>
  hub.refusal(by, 'users_CreateUserToken', { userId, ...bounds });

test('every verb reads, and of the commands each may call what the table says', async () => {
  const tokens = new Map<TokenVerb, Actor>();
  // The widest tokens that there are, so that nothing but the verb refuses.
  for (const verb of verbs)
    tokens.set(verb, await byToken(hub, admin, { verbs: [verb], administrator: true }));
  const absent = Object.fromEntries(Object.keys(ids).map((kind) => [kind, absentName(kind as never)]));
  const rows: string[] = [];
  for (const name of Object.keys(handlers).toSorted() as ActionName[]) {
    const may: string[] = [];
    for (const [verb, token] of tokens) {
      const input = sampleInput(name, absent as NamedThings, hub.now());
      const message = await hub.refusal(token, name, input).then(
        (refusal) => refusal.message,
        () => '',
      );
      if (message !== none && !message.startsWith('This needs a token with the verb')) may.push(verb);
    }
    if (actions[name].kind === 'query') expect([name, may]).toEqual([name, verbs]);
    else rows.push(`${name.padEnd(46)} ${may.join(' ')}`.trimEnd());
  }
  await expect(`${rows.join('\n')}\n`).toMatchFileSnapshot('./token-verbs.golden');
}, 120_000);

describe('a token that may publish', () => {
  let token: Actor;
  beforeAll(async () => {
    token = await byToken(hub, owner, { verbs: ['publish'], repositories: [catalogue.repositoryId] });
  });

  test('creates versions and their files in its repository, and nothing in others', async () => {
    const { packageId } = catalogue;
    const { versionId } = await hub.as(token, 'repositories_CreatePackageVersion', { packageId, tags: [] });
    expect(versionId).toMatch(/./);
    const other = await seedCatalogue(hub, { owner });
    expect(
      await hub.refusal(token, 'repositories_CreatePackageVersion', { packageId: other.packageId, tags: [] }),
    ).toEqual({ kind: 'Invalid', message: 'Package not found.' });
  });

  test.each<[ActionName, () => object, string]>([
    ['repositories_DeletePackageVersion', () => ({ versionId: catalogue.versionId }), 'manage'],
    ['repositories_DeleteRepository', () => ({ repositoryId: catalogue.repositoryId }), 'manage'],
    ['devices_SetDeviceName', () => ({ deviceId, name: 'x' }), 'manage'],
    ['devices_IssueDeviceHttpProxyToken', () => ({ deviceId }), 'forward'],
    ['devices_SetDeviceProperty', () => ({ deviceId, name: 'x', value: 1 }), 'operate'],
  ])('may not call %s', async (name, input, verb) => {
    expect(await hub.refusal(token, name, input())).toEqual({ kind: 'Forbidden', message: lacks(verb) });
  });

  test('opens no ports and no pages of devices; a token with the verb forward does', async () => {
    const ask = async (actor: Actor) =>
      (await hub.as(actor, 'users_GetDevicePermissions', { userId: owner.userId, deviceId })).hasAccess;
    expect(await ask(await byToken(hub, owner, { verbs: ['publish', 'operate', 'manage'] }))).toBe(false);
    const forwarding = await byToken(hub, owner, { verbs: ['forward'] });
    expect(await ask(forwarding)).toBe(true);
    const { jwt } = await hub.as(forwarding, 'devices_IssueDeviceHttpProxyToken', {
      deviceId,
      validForSecs: 60,
    });
    const valid = async () => (await hub.as(system, 'devices_ValidateDeviceHttpProxyToken', { jwt })).result;
    expect(await valid()).toBe('Valid');
    // As if the hub had always known this token as one that only publishes.
    await hub.database.db
      .updateTable('user_tokens')
      .set({ verbs: ['publish'] })
      .where('token_id', '=', ids.userTokenId.raw(forwarding.tokenId))
      .execute();
    expect(await valid()).toBe('Invalid');
  });
});

test('a token never makes tokens nor changes rights of its own, whatever its verbs', async () => {
  const token = await byToken(hub, admin, { verbs: [...verbs], administrator: true });
  const { userId } = admin;
  const calls: [ActionName, object][] = [
    ['users_CreateUserToken', { userId, verbs: ['read'] }],
    ['users_SetUserIsAdmin', { userId: owner.userId, isAdmin: true }],
    ['users_SetUserPassword', { userId, password: 'a long enough password 7' }],
    ['users_CreateUser', { email: 'new@example.org' }],
    ['projects_CreateProjectServiceAccount', { projectId: project.projectId, name: 'x' }],
  ];
  for (const [name, input] of calls)
    expect([name, await hub.refusal(token, name, input)]).toEqual([
      name,
      { kind: 'Forbidden', message: none },
    ]);
  const { tokenId } = token;
  expect(await hub.as(token, 'users_DeleteUserToken', { tokenId })).toEqual({});
});

test('a token is no wider than who makes it, and its verbs are named once and not with access', async () => {
  expect(await create({ verbs: ['manage'], administrator: true })).toMatchObject({ kind: 'Forbidden' });
  expect(await create({ verbs: [] })).toEqual({
    kind: 'Invalid',
    message: 'Name at least one verb, or leave verbs out for all of them.',
  });
  expect(await create({ verbs: ['read'], access: 'full' })).toEqual({
    kind: 'Invalid',
    message: 'Give either access or verbs, not both.',
  });
  const { tokenId, token } = await hub.as(owner, 'users_CreateUserToken', {
    userId: owner.userId,
    verbs: ['forward', 'publish', 'forward'],
  });
  const { tokens } = await hub.as(owner, 'users_QueryUserTokens', { userId: owner.userId });
  expect(tokens.find((listed) => listed.tokenId === tokenId)).toMatchObject({
    access: 'full',
    verbs: ['forward', 'publish'],
  });
  expect(
    await hub.run(AuthenticateWithUserToken, { token: ids.userToken.schema.parse(token) }),
  ).toMatchObject({
    verbs: ['forward', 'publish'],
  });
});

test('tokens without verbs are as they were', async () => {
  for (const access of ['read', 'full'] as const) {
    const token = await byToken(hub, owner, { access });
    expect((await hub.as(token, 'actor_GetActor', {})).token).not.toHaveProperty('verbs');
  }
  const full = await byToken(hub, owner);
  expect(await hub.as(full, 'devices_SetDeviceName', { deviceId, name: 'pump' })).toEqual({});
});
