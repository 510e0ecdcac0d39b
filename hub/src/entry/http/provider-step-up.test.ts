import { expect, test } from 'vitest';
import { authenticatorCode } from '../../../test/authenticator-code.ts';
import { system, type HttpHub } from '../../../test/http-hub.ts';
import {
  actorOf,
  audited,
  linked,
  password,
  returning,
  type Scene,
  scene,
  sessionOf,
} from '../../../test/provider-scene.ts';

/** Somebody whose only way to sign in is the provider, in a session that it opened. */
async function onlyByProvider(parts: Scene) {
  const { userId } = await linked(parts);
  await parts.hub.database.db.updateTable('users').set({ password_hash: null }).execute();
  const cookie = sessionOf((await (await returning(parts)).come()).headers);
  return { userId, cookie };
}
/** Sets a setting as if an administrator had. */
const setting = (hub: HttpHub, key: string, value: string | number) =>
  hub.database.db
    .insertInto('instance_settings')
    .values({ key, value: JSON.stringify(value), changed_at: new Date() })
    .execute();
const secsNow = () => Math.floor(Date.now() / 1000);
const grave = (hub: HttpHub, cookie: string) =>
  hub.post('/api/private/login/provider/link', {}, { cookie }).then(({ status }) => status);

test('a session of the provider counts as a proof only as far as the provider says that it is one', async () => {
  const parts = await scene();
  const { hub, hostile } = parts;
  await linked(parts);
  const signedInAt = async (auth_time: number | undefined) => {
    hostile.lies = { claims: { auth_time } };
    return grave(hub, sessionOf((await (await returning(parts)).come()).headers));
  };
  expect(await signedInAt(undefined)).toBe(403);
  expect(await signedInAt(secsNow() - 700)).toBe(403);
  expect(await signedInAt(secsNow() - 60)).toBe(200);
  // A clock may be a minute off; a time that is later, such as one in milliseconds, is none.
  expect(await signedInAt(secsNow() + 50)).toBe(200);
  for (const later of [secsNow() + 3_600, Date.now(), 1e20]) expect(await signedInAt(later)).toBe(403);
  hostile.lies = { claims: { auth_time: secsNow() + 50 } };
  const cookie = sessionOf((await (await returning(parts)).come()).headers);
  hub.advance(601);
  expect(await grave(hub, cookie)).toBe(403);
});

test('who has neither a password nor a second factor confirms at the provider, by signing in there again', async () => {
  const parts = await scene();
  const { hub, hostile } = parts;
  const { userId, cookie } = await onlyByProvider(parts);
  expect(await grave(hub, cookie)).toBe(403);
  const path = '/api/private/step-up/provider';
  for (const auth_time of [undefined, secsNow() - 61, Date.now(), 1e20]) {
    hostile.lies = { claims: { auth_time } };
    const { headers } = await (await returning(parts, { path, cookie })).come();
    expect([headers.location, sessionOf(headers)]).toEqual(['/settings/security?provider=notproved', '']);
  }
  const { come, url } = await returning(parts, { path, cookie });
  expect(Object.fromEntries(url.searchParams)).toMatchObject({ max_age: '1', prompt: 'login' });
  hostile.lies = { claims: { auth_time: secsNow() } };
  const { headers } = await come();
  expect(headers.location).toBe('/settings/security?provider=confirmed');
  const renewed = sessionOf(headers);
  expect(await grave(hub, renewed)).toBe(200);
  expect(await actorOf(hub, renewed)).toMatchObject({ userId });
  expect(await actorOf(hub, cookie)).toMatchObject({ kind: 'Anonymous' });
  expect(await audited(hub, 'users_SessionSteppedUp')).toHaveLength(1);
  // The clock of the provider may be late.
  hostile.lies = { claims: { auth_time: secsNow() - 50 } };
  const late = await (await returning(parts, { path, cookie: renewed })).come();
  expect(late.headers.location).toBe('/settings/security?provider=confirmed');
});

test('at the provider nobody confirms as another, for another session, or who has a second factor', async () => {
  const parts = await scene();
  const { hub, hostile } = parts;
  const path = '/api/private/step-up/provider';
  const { cookie: withFactor } = await linked(parts, 'bea@example.com');
  const { secret } = (await hub.invoke('users_BeginAuthenticatorEnrolment', {}, { cookie: withFactor })).json;
  const code = authenticatorCode(String(secret), new Date());
  await hub.invoke('users_ConfirmAuthenticatorEnrolment', { code }, { cookie: withFactor });
  const claims = { auth_time: secsNow() + 60 };
  hostile.lies = { claims };
  const has = await (await returning(parts, { path, cookie: withFactor })).come();
  expect([has.headers.location, sessionOf(has.headers)]).toEqual([
    '/settings/security?provider=notyours',
    '',
  ]);
  await hub.database.db.deleteFrom('user_identities').execute();
  const { cookie } = await onlyByProvider(parts);
  hostile.lies = { claims: { ...claims, sub: 'eve' }, userinfo: { sub: 'eve' } };
  const other = await (await returning(parts, { path, cookie })).come();
  expect(other.headers.location).toBe('/settings/security?provider=notyours');
  hostile.lies = { claims };
  const begun = await returning(parts, { path, cookie });
  const foreign = await begun.come([begun.flow, withFactor]);
  expect(foreign.headers.location).toBe('/settings/security?provider=invalid');
  const nobody = await hub.post(path, {});
  expect(nobody.status).toBe(401);
  expect(await audited(hub, 'users_SessionSteppedUp')).toEqual([]);
});

test('who has only the provider is told to confirm there, and the hub says what somebody can confirm with', async () => {
  const parts = await scene();
  const { hub, hostile } = parts;
  const { userId, cookie } = await onlyByProvider(parts);
  const stepUp = async () => (await hub.post('/api/private/step-up', { password: 'any' }, { cookie })).json;
  const ways = async () => (await hub.invoke('users_GetSecondFactors', { userId }, { cookie })).json;
  const elsewhere = 'Your account has no password. Sign out, and sign in again.';
  expect(await stepUp()).toMatchObject({ message: elsewhere });
  expect(await ways()).toMatchObject({ confirmsBy: [] });
  await setting(hub, 'oidcIssuer', hostile.issuer);
  expect(await stepUp()).toMatchObject({ message: expect.stringContaining('at the provider.') });
  expect(await ways()).toMatchObject({ confirmsBy: ['provider'] });
  // A password that may not be used is as good as none.
  await hub.executor.invoke(system, 'users_SetUserPassword', { userId, password });
  const again = sessionOf((await (await returning(parts)).come()).headers);
  const waysNow = async () =>
    (await hub.invoke('users_GetSecondFactors', { userId }, { cookie: again })).json;
  expect(await waysNow()).toMatchObject({ confirmsBy: ['password', 'provider'] });
  await setting(hub, 'passwords', 'nobody');
  expect(await waysNow()).toMatchObject({ confirmsBy: ['provider'] });
  hostile.lies = { claims: { auth_time: secsNow() + 30 } };
  const confirmed = await returning(parts, { path: '/api/private/step-up/provider', cookie: again });
  expect((await confirmed.come()).headers.location).toBe('/settings/security?provider=confirmed');
});

test('whoever is linked can confirm at the provider instead of by the password', async () => {
  const parts = await scene();
  const { hub, hostile } = parts;
  const { cookie } = await linked(parts);
  hub.advance(601);
  expect(await grave(hub, cookie)).toBe(403);
  const { come } = await returning(parts, { path: '/api/private/step-up/provider', cookie });
  hostile.lies = { claims: { auth_time: secsNow() } };
  expect(await grave(hub, sessionOf((await come()).headers))).toBe(200);
});

test('who signs in at the provider leaves the session that the browser had, and a sign-in that waits', async () => {
  const parts = await scene();
  const { hub } = parts;
  const { cookie } = await linked(parts);
  const { come, flow } = await returning(parts);
  const { headers } = await come([flow, cookie, '__Host-sign-in=waiting']);
  expect(await actorOf(hub, sessionOf(headers))).toMatchObject({ kind: 'User' });
  expect(await actorOf(hub, cookie)).toMatchObject({ kind: 'Anonymous' });
  expect(String(headers['set-cookie'])).toContain('__Host-sign-in=; Max-Age=0');
});

test('the audit log says who linked an identity', async () => {
  const parts = await scene();
  const { userId } = await linked(parts);
  const rows = await audited(parts.hub, 'users_IdentityLinked');
  expect(rows).toMatchObject([{ actor: { userId } }]);
});
