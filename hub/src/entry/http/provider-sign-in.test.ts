import { expect, test } from 'vitest';
import type { Lies } from '../../../test/hostile-provider.ts';
import { system, type HttpHub } from '../../../test/http-hub.ts';
import {
  actorOf,
  audited,
  linked,
  links,
  password,
  returning,
  scene,
  sessionOf,
} from '../../../test/provider-scene.ts';
import { providerCallbackPath } from './provider-sign-in.ts';

const nowSecs = Math.floor(Date.now() / 1000);

test('who linked an identity in their session signs in with it, and the session says how', async () => {
  const parts = await scene();
  const { hub } = parts;
  const { userId, status, location } = await linked(parts);
  expect([status, location]).toEqual([303, '/settings/security?provider=linked']);
  expect(await links(hub)).toMatchObject([{ issuer: parts.hostile.issuer, subject: 'ann' }]);
  const { come } = await returning(parts, { body: { redirect: '/projects?sort=name' } });
  const { status: back, headers } = await come();
  expect([back, headers.location]).toEqual([303, '/projects?sort=name']);
  const cookie = sessionOf(headers);
  expect(await actorOf(hub, cookie)).toMatchObject({ kind: 'User', userId });
  const { sessions } = (await hub.invoke('users_QueryUserSessions', { userId }, { cookie })).json;
  expect(sessions).toMatchObject([{ methods: ['provider'] }, { methods: ['password'] }]);
});

test('an identity that is not linked has no account, whatever its e-mail address is', async () => {
  const parts = await scene({ userinfo: { email: 'admin@example.com', email_verified: true } });
  await parts.hub.user('admin@example.com', { password, isAdmin: true });
  const before = (await parts.hub.database.db.selectFrom('users').select('user_id').execute()).length;
  const { headers } = await (await returning(parts)).come();
  expect([headers.location, sessionOf(headers)]).toEqual(['/login?provider=unknown', '']);
  expect(await parts.hub.database.db.selectFrom('users').select('user_id').execute()).toHaveLength(before);
  expect(await audited(parts.hub, 'users_SignInFailed')).toHaveLength(1);
});

test('an identity is linked only in the session that asked for it', async () => {
  const parts = await scene();
  const { hub } = parts;
  const cookies = [];
  for (const email of ['eve@example.com', 'victim@example.com']) {
    await hub.user(email, { password });
    cookies.push(await hub.signIn(email, password));
  }
  const [eve = '', victim = ''] = cookies;
  const { come, flow } = await returning(parts, { path: '/api/private/login/provider/link', cookie: eve });
  for (const carried of [[flow, victim], [victim]])
    expect((await come(carried)).headers.location).toBe('/settings/security?provider=invalid');
  for (const carried of [[flow], []])
    expect((await come(carried)).headers.location).toBe('/login?provider=invalid');
  expect(await links(hub)).toEqual([]);
});

test('an identity of one user is not taken by another', async () => {
  const parts = await scene();
  const { userId } = await linked(parts);
  const { location } = await linked(parts, 'eve@example.com');
  expect(location).toBe('/settings/security?provider=taken');
  const { come } = await returning(parts);
  expect(await actorOf(parts.hub, sessionOf((await come()).headers))).toMatchObject({ userId });
});

test('a disabled user stays disabled', async () => {
  const parts = await scene();
  const { userId } = await linked(parts);
  await parts.hub.executor.invoke(system, 'users_SetUserIsDisabled', { userId, isDisabled: true });
  const { headers } = await (await returning(parts)).come();
  expect([headers.location, sessionOf(headers)]).toEqual(['/login?provider=unknown', '']);
});

test('an answer without its cookie, with that of another flow, or a second time, signs nobody in', async () => {
  const parts = await scene();
  await linked(parts);
  const [first, second] = [await returning(parts), await returning(parts)];
  const forged = `${first.flow.split('=', 1)[0]}=${second.flow.split('=')[1]}`;
  for (const carried of [[], [second.flow], [forged], [`${first.flow.slice(0, -4)}AAAA`]])
    expect((await first.come(carried)).headers.location).toBe('/login?provider=invalid');
  for (const tab of [first, second]) expect(sessionOf((await tab.come()).headers)).not.toBe('');
  const again = await first.come();
  expect([again.headers.location, sessionOf(again.headers)]).toEqual(['/login?provider=invalid', '']);
});

test.each<[string, Lies]>([
  ['a foreign signature', { signature: 'foreign-key' }],
  ['another nonce', { claims: { nonce: 'another' } }],
  [
    'an error',
    { answer: { code: undefined, error: 'server_error', error_description: '<b>secret words</b>' } },
  ],
])('%s gives the same page and one row of the audit log', async (_name, lies) => {
  const parts = await scene(lies);
  const answer = await (await returning(parts)).come();
  expect([answer.status, answer.headers.location, answer.text]).toEqual([303, '/login?provider=invalid', '']);
  expect(await audited(parts.hub, 'users_SignInFailed')).toHaveLength(1);
});

test.each([
  '//evil.example',
  'javascript:alert(1)',
  'https://evil.example/',
  '/\\evil.example',
  '/\t/evil.example',
  7,
  null,
])('a return to %j is not followed', async (redirect) => {
  const parts = await scene();
  await linked(parts);
  const { come } = await returning(parts, { body: { redirect } });
  expect((await come()).headers.location).toBe('/');
});

test('no header changes where the provider sends the browser back', async () => {
  const parts = await scene();
  const headers = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
  const { url } = await returning(parts, { headers });
  expect(url.searchParams.get('redirect_uri')).toBe(`${parts.hub.url}${providerCallbackPath}`);
});

test('another site cannot begin a sign-in, and none begins at a provider that is down; passwords work on', async () => {
  const parts = await scene({ silent: '/.well-known/openid-configuration' });
  const { hub } = parts;
  await hub.user('ann@example.com', { password });
  const foreign = await hub.post('/api/private/login/provider', {}, { 'sec-fetch-site': 'cross-site' });
  expect([foreign.status, foreign.headers['set-cookie']]).toEqual([403, undefined]);
  const [answer, cookie] = await Promise.all([
    hub.post('/api/private/login/provider', {}),
    hub.signIn('ann@example.com', password),
  ]);
  expect(answer.text).toContain('The provider could not be reached.');
  expect(await actorOf(hub, cookie)).toMatchObject({ kind: 'User' });
});

test('a network asks for the provider a limited number of times', async () => {
  const { hub, hostile } = await scene();
  const begun = await Promise.all(
    Array.from({ length: 61 }, () => hub.post('/api/private/login/provider', {})),
  );
  expect(begun.filter(({ status }) => status === 200)).toHaveLength(60);
  expect(begun.find(({ status }) => status !== 200)?.text).toContain('Too many sign-ins. Try again in');
  hub.advance(61);
  expect((await hub.post('/api/private/login/provider', {})).status).toBe(200);
  expect(hostile.requests.get('/token')).toBeUndefined();
});

test('linking and unlinking are told by e-mail, once each; another cannot unlink, an administrator can', async () => {
  const parts = await scene();
  const { hub, hostile } = parts;
  const { userId, cookie } = await linked(parts);
  await (await returning(parts, { path: '/api/private/login/provider/link', cookie })).come();
  const mails = async () =>
    (await hub.database.db.selectFrom('queued_mails').select('kind').orderBy('created_at').execute()).map(
      ({ kind }) => kind,
    );
  expect(await mails()).toEqual(['IdentityLinked']);
  const own = (await hub.invoke('users_GetUserIdentities', { userId }, { cookie })).json;
  expect(own['identities']).toMatchObject([{ issuer: hostile.issuer, subject: 'ann' }]);
  const identity = { userId, issuer: hostile.issuer, subject: 'ann' };
  await hub.user('eve@example.com', { password });
  const eve = await hub.signIn('eve@example.com', password);
  expect((await hub.invoke('users_UnlinkIdentity', identity, { cookie: eve })).text).toContain(
    'User not found.',
  );
  await hub.user('admin@example.com', { password, isAdmin: true });
  const admin = await hub.signIn('admin@example.com', password);
  expect((await hub.invoke('users_UnlinkIdentity', identity, { cookie: admin })).status).toBe(200);
  expect((await hub.invoke('users_UnlinkIdentity', identity, { cookie: admin })).text).toContain('not found');
  expect(await mails()).toEqual(['IdentityLinked', 'IdentityUnlinked']);
  expect((await (await returning(parts)).come()).headers.location).toBe('/login?provider=unknown');
});

test('the last way to sign in stays', async () => {
  const parts = await scene();
  const { hub, hostile } = parts;
  const { userId, cookie } = await linked(parts);
  await hub.database.db.updateTable('users').set({ password_hash: null }).execute();
  const identity = { userId, issuer: hostile.issuer, subject: 'ann' };
  const answer = await hub.invoke('users_UnlinkIdentity', identity, { cookie });
  expect(answer.text).toContain('This is the only way to sign in to this account.');
  expect(await links(hub)).toHaveLength(1);
});

/** Sends a logout token as a provider does. */
const logOut = (hub: HttpHub, token: string) =>
  hub.call('/api/private/logout/provider', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ logout_token: token }).toString(),
  });

test('a provider that ends a session ends those that began in it, here and on another hub, and no other', async () => {
  const parts = await scene();
  const { hub, hostile } = parts;
  const { userId, cookie: byPassword } = await linked(parts);
  const first = sessionOf((await (await returning(parts)).come()).headers);
  hostile.lies = { claims: { sid: 's2' } };
  const second = sessionOf((await (await returning(parts)).come()).headers);
  const ended: unknown[] = [];
  hub.bus.subscribe(({ name, data }) => {
    if (name === 'users_SessionTerminated') ended.push(data);
  });
  const token = await hostile.logoutToken();
  const answers = await Promise.all([logOut(hub, token), logOut(hub, token)]);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 400]));
  await expect.poll(() => ended).toMatchObject([{ userId }]);
  const kinds = async (...cookies: string[]) =>
    Promise.all(cookies.map(async (one) => ((await actorOf(hub, one)) as { kind: string }).kind));
  expect(await kinds(first, second, byPassword)).toEqual(['Anonymous', 'User', 'User']);
  hostile.lies = { claims: { sid: undefined } };
  const unnamed = sessionOf((await (await returning(parts)).come()).headers);
  expect((await logOut(hub, await hostile.logoutToken())).status).toBe(200);
  expect(await kinds(unnamed, second, byPassword)).toEqual(['Anonymous', 'User', 'User']);
  expect((await logOut(hub, await hostile.logoutToken({ sid: undefined }))).status).toBe(200);
  expect(await kinds(second, byPassword)).toEqual(['Anonymous', 'User']);
});

test.each<[string, Record<string, unknown>, Lies]>([
  ['with a nonce', { nonce: 'n' }, {}],
  ['without events', { events: undefined }, {}],
  ['with another event', { events: { 'https://other.example': {} } }, {}],
  ['whose event is no object', { events: { 'http://schemas.openid.net/event/backchannel-logout': 1 } }, {}],
  ['of a foreign session', { sid: 's9' }, {}],
  ['of a foreign subject', { sub: 'eve', sid: undefined }, {}],
  ['of nobody', { sub: undefined, sid: undefined }, {}],
  ['of another issuer', { iss: 'https://other.example' }, {}],
  ['for another client', { aud: 'other' }, {}],
  ['of the future', { iat: nowSecs + 3_600 }, {}],
  ['that is old', { iat: nowSecs - 900 }, {}],
  ['without an id', { jti: undefined }, {}],
  ['with a foreign signature', {}, { signature: 'foreign-key' }],
  ['signed by the public key', {}, { signature: 'public-key-as-secret' }],
  ['of an unknown key', {}, { signature: 'unknown-kid' }],
  ['without a signature', {}, { signature: 'none' }],
])('a logout token %s ends nothing', async (_name, claims, lies) => {
  const parts = await scene();
  const { hub, hostile } = parts;
  await linked(parts);
  const cookie = sessionOf((await (await returning(parts)).come()).headers);
  hostile.lies = lies;
  await logOut(hub, await hostile.logoutToken(claims));
  expect(await actorOf(hub, cookie)).toMatchObject({ kind: 'User' });
});

test('a test sign-in counts only for an administrator, in the session that began it', async () => {
  const parts = await scene();
  const { hub, hostile } = parts;
  const cookies: string[] = [];
  for (const [email, isAdmin] of [
    ['admin@example.com', true],
    ['eve@example.com', false],
  ] as const) {
    await hub.user(email, { password, isAdmin });
    cookies.push(await hub.signIn(email, password));
  }
  const [admin = '', eve = ''] = cookies;
  const tests = () => hub.database.db.selectFrom('provider_tests').select(['issuer', 'client_id']).execute();
  const path = '/api/private/login/provider/test';
  const ofEve = await returning(parts, { path, cookie: eve });
  expect((await ofEve.come()).headers.location).toBe('/admin/settings?provider=invalid');
  hostile.lies = { answer: { error: 'access_denied', code: undefined } };
  const denied = await returning(parts, { path, cookie: admin });
  expect((await denied.come()).headers.location).toBe('/admin/settings?provider=denied');
  hostile.lies = {};
  const begun = await returning(parts, { path, cookie: admin });
  expect((await begun.come([begun.flow, eve])).headers.location).not.toBe('/admin/settings?provider=tested');
  expect(await tests()).toEqual([]);
  const again = await returning(parts, { path, cookie: admin });
  expect((await again.come()).headers.location).toBe('/admin/settings?provider=tested');
  expect(await tests()).toEqual([{ issuer: hostile.issuer, client_id: 'corral' }]);
  expect(await links(hub)).toEqual([]);
});

test.each(['link', 'test'])('%s takes a proof of the last ten minutes', async (step) => {
  const { hub } = await scene();
  await hub.user('ann@example.com', { password });
  const cookie = await hub.signIn('ann@example.com', password);
  hub.advance(601);
  const answer = await hub.post(`/api/private/login/provider/${step}`, {}, { cookie });
  expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('StepUpWanted')]);
});

test('whatever has not the form of a logout token has the hub ask nobody, and the rest is counted', async () => {
  const parts = await scene();
  const { hub, hostile } = parts;
  const unsigned = await hostile.logoutToken({ aud: 'other' });
  for (const text of ['', 'a.b.c', unsigned, await hostile.logoutToken({ events: {} })])
    expect((await logOut(hub, text)).status).toBe(400);
  expect(hostile.requests.size).toBe(0);
  expect((await logOut(hub, await hostile.logoutToken())).status).toBe(200);
  await hub.database.db.updateTable('request_counts').set({ requests: 600 }).execute();
  expect((await logOut(hub, await hostile.logoutToken())).status).toBe(429);
});

test('unlinking ends what the identity opened, beside the session in which that is done', async () => {
  const parts = await scene();
  const { hub, hostile } = parts;
  const { userId, cookie: byPassword } = await linked(parts);
  hostile.lies = { claims: { auth_time: nowSecs } };
  const [first, second] = [await returning(parts), await returning(parts)];
  const [elsewhere, here] = [
    sessionOf((await first.come()).headers),
    sessionOf((await second.come()).headers),
  ];
  const ended: unknown[] = [];
  hub.bus.subscribe(({ name, data }) => {
    if (name === 'users_SessionTerminated') ended.push(data);
  });
  const identity = { userId, issuer: hostile.issuer, subject: 'ann' };
  expect((await hub.invoke('users_UnlinkIdentity', identity, { cookie: here })).status).toBe(200);
  await expect.poll(() => ended).toMatchObject([{ userId }]);
  const kinds = [elsewhere, here, byPassword].map(async (one) => (await actorOf(hub, one)) as object);
  expect(await Promise.all(kinds)).toMatchObject([{ kind: 'Anonymous' }, { kind: 'User' }, { kind: 'User' }]);
});
