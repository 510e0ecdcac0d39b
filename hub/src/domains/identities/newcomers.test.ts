import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Lies } from '../../../test/hostile-provider.ts';
import {
  actorOf,
  audited,
  links,
  password,
  returning,
  scene,
  sessionOf,
} from '../../../test/provider-scene.ts';
import { authenticatorCode } from '../../../test/authenticator-code.ts';
import { systemCaller } from '../../calls/handler.ts';
import { TakeDueMail } from '../users/internal/TakeDueMail.ts';
import { testVault } from '../../../test/test-vault.ts';
import { countsOf } from '../../auth/request-limits.ts';
import { instanceKey } from '../instance/index.ts';

/** A hub with an administrator, who has a project, and a provider. */
async function newcomerScene(lies: Lies = {}) {
  const parts = await scene(lies);
  const { hub } = parts;
  const { userId: adminId } = await hub.user('admin@example.com', { password, isAdmin: true });
  const admin = await hub.signIn('admin@example.com', password);
  const invoke = (name: string, input: unknown, cookie = admin) => hub.invoke(name, input, { cookie });
  const set = (key: string, value: string | null) => invoke('instance_SetInstanceSettingRaw', { key, value });
  const come = async (path?: string, body = {}) => {
    const back = await (await returning(parts, { ...(path === undefined ? {} : { path }), body })).come();
    return { location: back.headers.location, cookie: sessionOf(back.headers), headers: back.headers };
  };
  const accounts = () =>
    hub.database.db
      .selectFrom('users')
      .select(['email', 'password_hash', 'is_admin', 'only_invitation_id', 'display_name'])
      .where('email', '<>', 'admin@example.com')
      .execute();
  return { ...parts, adminId, admin, invoke, set, come, accounts };
}

const domains = 'example.com, Münster.example';

test.each<[string, string | null, Record<string, unknown>, string | undefined]>([
  ['nothing set', null, { email: 'ann@example.com', email_verified: true }, undefined],
  ['a verified address', domains, { email: 'Ann@Example.COM', email_verified: true }, 'ann@example.com'],
  [
    'a domain as browsers send it',
    domains,
    { email: 'ann@xn--mnster-3ya.example', email_verified: true },
    'ann@münster.example',
  ],
  ['an address that is not verified', domains, { email: 'ann@example.com' }, undefined],
  ['one that is said to be in words', domains, { email: 'a@example.com', email_verified: 'true' }, undefined],
  ['a domain below', domains, { email: 'ann@sub.example.com', email_verified: true }, undefined],
  ['a domain that only ends so', domains, { email: 'a@badexample.com', email_verified: true }, undefined],
  [
    'the domain before the sign',
    domains,
    { email: 'example.com@evil.test', email_verified: true },
    undefined,
  ],
  ['two signs', domains, { email: 'a@evil.test@example.com', email_verified: true }, undefined],
  ['no address', domains, { email: undefined, email_verified: true }, undefined],
])('with %s, an account is made only as the settings allow', async (_name, value, userinfo, email) => {
  const { set, come, accounts, hub } = await newcomerScene({ userinfo: { ...userinfo, name: 'Ann' } });
  expect((await set('oidcDomains', value)).text).toBe('{}');
  const { location, cookie } = await come();
  expect(location).toBe(email === undefined ? '/login?provider=unknown' : '/');
  expect(await accounts()).toEqual(
    email === undefined
      ? []
      : [
          {
            email,
            password_hash: null,
            is_admin: false,
            only_invitation_id: null,
            display_name: 'Ann',
          },
        ],
  );
  expect(await links(hub)).toHaveLength(email === undefined ? 0 : 1);
  if (email === undefined) return;
  expect(await actorOf(hub, cookie)).toMatchObject({ kind: 'User' });
  expect(await audited(hub, 'users_Created')).not.toEqual([]);
  // The next time it is the same account.
  await come();
  expect(await accounts()).toHaveLength(1);
});

test.each([
  [{ email: 'ann@example.com' }, { email: 'ann@evil.test', email_verified: true }],
  [{ email_verified: true }, { email: 'ann@example.com' }],
  [
    { email: 'ann@example.com', email_verified: false },
    { email: 'ann@example.com', email_verified: true },
  ],
])(
  'what is said of one address verifies no other: %j in the ID token, %j elsewhere',
  async (claims, userinfo) => {
    const { set, come, accounts } = await newcomerScene({ claims, userinfo });
    await set('oidcDomains', 'example.com');
    expect((await come()).location).toBe('/login?provider=unknown');
    expect(await accounts()).toEqual([]);
  },
);

test.each([true, false, undefined])(
  'an address that an administrator has gets no account and links nothing, verified %s',
  async (email_verified) => {
    const { set, come, accounts, hub, adminId } = await newcomerScene({
      userinfo: { email: 'Admin@example.com', email_verified },
    });
    await set('oidcDomains', 'example.com');
    const before = await hub.database.db.selectFrom('users').selectAll().execute();
    const { location, cookie } = await come();
    expect([location, cookie]).toEqual([
      `/login?provider=${email_verified === true ? 'exists' : 'unknown'}`,
      '',
    ]);
    expect([await accounts(), await links(hub)]).toEqual([[], []]);
    expect(await hub.database.db.selectFrom('users').selectAll().execute()).toEqual(before);
    expect(before.map(({ user_id: id }) => ids.user.of(id))).toEqual([adminId]);
    expect(await audited(hub, 'users_SignInFailed')).toHaveLength(1);
  },
);

test('domains that are none are refused, and new accounts are counted as registrations are', async () => {
  const { set, come, hub } = await newcomerScene({
    userinfo: { email: 'ann@example.com', email_verified: true },
  });
  for (const list of ['@example.com', 'a@example.com', '*.example.com', '[1.2.3.4]', 'a b@c', ','])
    expect((await set('oidcDomains', list)).text).toContain('must be domains such as example.com');
  expect((await set('oidcDomains', 'EXAMPLE.com example.com')).text).toBe('{}');
  const stored = await hub.database.db.selectFrom('instance_settings').select(['key', 'value']).execute();
  expect(stored).toEqual([{ key: 'oidcDomains', value: 'example.com' }]);
  await come();
  await hub.database.db.deleteFrom('users').where('email', '=', 'ann@example.com').execute();
  const context = { tx: hub.database.db, now: new Date(), vault: testVault };
  const [count] = countsOf(await instanceKey(context, 'request-limits'), 'visitorRequests', 'register');
  const { numUpdatedRows } = await hub.database.db
    .updateTable('request_counts')
    .set({ requests: 60 })
    .where('subject', '=', count?.subject ?? '')
    .executeTakeFirst();
  expect(numUpdatedRows).toBe(1n);
  expect((await come()).location).toBe('/login?provider=throttled');
});

test('a new account follows the groups, and the policy of second factors', async () => {
  const { set, come, hub } = await newcomerScene({
    userinfo: { email: 'ann@example.com', email_verified: true, groups: ['hub'] },
  });
  await set('oidcDomains', 'example.com');
  await set('oidcGroups', 'hub = administrator');
  await set('secondFactor', 'administrators');
  await set('secondFactorGraceDays', '0');
  const { location, cookie } = await come();
  expect([location, cookie]).toEqual(['/login?wants=enrolment&redirect=%2F', '']);
  const user = await hub.database.db
    .selectFrom('users')
    .select('is_admin')
    .where('email', '=', 'ann@example.com')
    .executeTakeFirstOrThrow();
  expect(user.is_admin).toBe(true);
});

test('who is disabled stays so, whatever domain is allowed', async () => {
  const { set, come, hub, invoke } = await newcomerScene({
    userinfo: { email: 'ann@example.com', email_verified: true },
  });
  await set('oidcDomains', 'example.com');
  const { cookie } = await come();
  const { userId } = (await actorOf(hub, cookie)) as { userId: string };
  await invoke('users_SetUserIsDisabled', { userId, isDisabled: true });
  expect((await come()).location).toBe('/login?provider=unknown');
});

const path = '/api/private/login/provider/invitation';

/** An invitation to a new project, or a repository, and its link. */
async function invited({ invoke }: Awaited<ReturnType<typeof newcomerScene>>, email = 'ann@example.com') {
  const { projectId } = (await invoke('projects_CreateProject', { name: 'Barn' })).json;
  const made = await invoke('projects_InviteProjectMember', { projectId, email });
  const { invitationId } = made.json;
  const { url } = (await invoke('projects_IssueProjectInvitationLink', { projectId, invitationId })).json;
  const invitationToken = new URL(String(url)).searchParams.get('invitation') ?? '';
  return { projectId: String(projectId), invitationId: String(invitationId), invitationToken };
}

test('who has the link of an invitation joins through the provider, once, also with passwords switched off', async () => {
  const parts = await newcomerScene({ userinfo: { email: 'ann@work.example', email_verified: true } });
  const { come, accounts, hub, invoke } = parts;
  const { projectId, invitationId, invitationToken } = await invited(parts);
  await hub.database.db
    .insertInto('instance_settings')
    .values({ key: 'passwords', value: '"nobody"', changed_at: new Date() })
    .execute();
  const { location, cookie } = await come(path, { invitationToken });
  expect(location).toBe('/user/invitations');
  // The provider said nothing of the address, so that it counts as unconfirmed.
  const [account] = await accounts();
  expect(account).toMatchObject({
    email: 'ann@example.com',
    password_hash: null,
    only_invitation_id: invitationId.replace('p_invite_', ''),
  });
  expect((await invoke('projects_GetProjectDetails', { projectId }, cookie)).status).toBe(200);
  expect(await hub.database.db.selectFrom('invitations').selectAll().execute()).toEqual([]);
  expect(await audited(hub, 'projects_InvitationAccepted')).not.toEqual([]);
  await hub.database.db.deleteFrom('user_identities').execute();
  expect((await come(path, { invitationToken })).location).toBe('/login?provider=invitation');
  expect(await accounts()).toHaveLength(1);
});

test('whoever reads the mail of an address that nothing confirmed gets the account alone: no identity and no factor of who made it opens it any more', async () => {
  const parts = await newcomerScene({ claims: { auth_time: Math.floor(Date.now() / 1000) } });
  const { come, hub, invoke } = parts;
  const { invitationToken } = await invited(parts);
  const { cookie } = await come(path, { invitationToken });
  const { userId } = (await actorOf(hub, cookie)) as { userId: string };
  const { secret } = (await invoke('users_BeginAuthenticatorEnrolment', {}, cookie)).json;
  const code = authenticatorCode(String(secret), new Date());
  expect((await invoke('users_ConfirmAuthenticatorEnrolment', { code }, cookie)).status).toBe(200);
  await hub.database.db.deleteFrom('queued_mails').execute();
  await invoke('users_SendPasswordLink', { userId });
  const mail = await hub.executor.run(systemCaller, TakeDueMail);
  if (mail?.kind !== 'PasswordLink') throw new Error('There is no link.');
  const set = await hub.invoke('users_SetPasswordByLink', { token: mail.linkToken, password });
  expect(set.json).toEqual({ result: 'Completed' });
  expect(await links(hub)).toEqual([]);
  expect((await come()).location).toBe('/login?provider=unknown');
  // Without a code.
  expect(await actorOf(hub, await hub.signIn('ann@example.com', password))).toMatchObject({ userId });
  for (const name of ['users_IdentityUnlinked', 'users_SecondFactorRemoved'])
    expect(await audited(hub, name)).toHaveLength(1);
});

test('the provider confirms the address of an invitation where it says that it is verified', async () => {
  const parts = await newcomerScene({ userinfo: { email: 'ANN@example.com', email_verified: true } });
  const { invitationToken } = await invited(parts);
  expect((await parts.come(path, { invitationToken })).location).toBe('/user/invitations');
  expect(await parts.accounts()).toMatchObject([{ only_invitation_id: null }]);
});

test('an invitation to a repository is used the same way', async () => {
  const parts = await newcomerScene();
  const { invoke, come } = parts;
  const { repositoryId } = (await invoke('repositories_CreateRepository', { name: 'firmware' })).json;
  const invitation = await invoke('repositories_InviteRepositoryMember', {
    repositoryId,
    email: 'ann@example.com',
  });
  const { invitationId } = invitation.json;
  const link = await invoke('repositories_IssueRepositoryInvitationLink', { repositoryId, invitationId });
  const invitationToken = new URL(String(link.json['url'])).searchParams.get('invitation') ?? '';
  const { cookie } = await come(path, { invitationToken });
  expect((await invoke('repositories_GetRepositoryDetails', { repositoryId }, cookie)).status).toBe(200);
});

test('an invitation for an address that has an account touches none, and stays', async () => {
  const parts = await newcomerScene();
  const { come, hub } = parts;
  await hub.user('ann@example.com', { password });
  const { invitationToken } = await invited(parts);
  expect((await come(path, { invitationToken })).location).toBe('/login?provider=exists');
  expect(await links(hub)).toEqual([]);
  expect(await hub.database.db.selectFrom('invitations').selectAll().execute()).toHaveLength(1);
  await hub.signIn('ann@example.com', password);
});

test('whose identity is linked signs in as before, and accepts the invitation there', async () => {
  const parts = await newcomerScene();
  const { come, hub } = parts;
  const first = await invited(parts);
  const { cookie } = await come(path, first);
  const second = await invited(parts, 'bea@example.com');
  const again = await come(path, second);
  expect(again.location).toBe('/user/invitations');
  const who = async (session: string) => ((await actorOf(hub, session)) as { userId?: string }).userId;
  expect(await who(again.cookie)).toBe(await who(cookie));
  expect(await hub.database.db.selectFrom('invitations').selectAll().execute()).toHaveLength(1);
});

test('who joins by an invitation has to set up a second factor where everyone has to', async () => {
  const parts = await newcomerScene();
  const { come, set } = parts;
  const { invitationToken } = await invited(parts);
  await set('secondFactor', 'everyone');
  await set('secondFactorGraceDays', '0');
  const { location, cookie } = await come(path, { invitationToken });
  expect([location, cookie]).toEqual(['/login?wants=enrolment&redirect=%2Fuser%2Finvitations', '']);
});

test.each([['x'.repeat(1_001)], [undefined], [1]])(
  'what cannot be a link has the hub ask nobody: %s',
  async (invitationToken) => {
    const { hub, hostile } = await newcomerScene();
    const { status } = await hub.post(path, { invitationToken });
    expect([status, hostile.requests.size]).toEqual([400, 0]);
  },
);

test('a revoked invitation, a made up link and an e-mail by registration give no account', async () => {
  const parts = await newcomerScene();
  const { come, accounts, invoke } = parts;
  const { projectId, invitationId, invitationToken } = await invited(parts);
  await invoke('projects_DeleteProjectInvitation', { projectId, invitationId });
  for (const token of [invitationToken, 'a.b.c', invitationToken.slice(0, -2)])
    expect((await come(path, { invitationToken: token })).location).toBe('/login?provider=invitation');
  expect(await accounts()).toEqual([]);
});

test('somebody with two invitations who accepts both at once gets one account, and no other is left without a way in', async () => {
  const parts = await newcomerScene();
  const { hub } = parts;
  const { db } = hub.database;
  const links = [await invited(parts), await invited(parts, 'bea@example.com')];
  const tabs = await Promise.all(links.map((body) => returning(parts, { path, body })));
  // Both find nobody, before either makes an account.
  const back = await db.transaction().execute(async (tx) => {
    await sql`lock table users in share row exclusive mode`.execute(tx);
    const coming = tabs.map(({ come }) => come());
    await expect
      .poll(async () => (await sql`select from pg_locks where not granted`.execute(tx)).rows.length)
      .toBe(2);
    return () => Promise.all(coming);
  });
  const answers = await back();
  expect(await parts.accounts()).toHaveLength(1);
  const actors = await Promise.all(answers.map(({ headers }) => actorOf(hub, sessionOf(headers))));
  expect(actors[0]).toMatchObject({ kind: 'User' });
  expect(actors[1]).toEqual(actors[0]);
});

test.each(['with an invitation', 'by a domain'])(
  'two tabs in parallel make one account %s, and both finish',
  async (way) => {
    const parts = await newcomerScene({ userinfo: { email: 'ann@example.com', email_verified: true } });
    const { invitationToken } = await invited(parts);
    await parts.set('oidcDomains', 'example.com');
    const begin = () => returning(parts, way === 'by a domain' ? {} : { path, body: { invitationToken } });
    const tabs = [await begin(), await begin()];
    const back = await Promise.all(tabs.map(({ come }) => come()));
    expect(await parts.accounts()).toHaveLength(1);
    const actors = await Promise.all(back.map(({ headers }) => actorOf(parts.hub, sessionOf(headers))));
    expect(actors).toMatchObject([{ kind: 'User' }, { kind: 'User' }]);
  },
);
