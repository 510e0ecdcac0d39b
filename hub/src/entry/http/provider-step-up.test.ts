import { expect, test } from 'vitest';
import type { HttpHub } from '../../../test/http-hub.ts';
import {
  actorOf,
  audited,
  linked,
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
  // A time to come proves no longer than one of now.
  hostile.lies = { claims: { auth_time: secsNow() + 3_600 } };
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
  for (const auth_time of [undefined, secsNow() - 1]) {
    hostile.lies = { claims: { auth_time } };
    const { headers } = await (await returning(parts, { path, cookie })).come();
    expect([headers.location, sessionOf(headers)]).toEqual(['/settings/security?provider=notproved', '']);
  }
  const { come, url } = await returning(parts, { path, cookie });
  expect(Object.fromEntries(url.searchParams)).toMatchObject({ max_age: '0', prompt: 'login' });
  hostile.lies = { claims: { auth_time: secsNow() } };
  const { headers } = await come();
  expect(headers.location).toBe('/settings/security?provider=confirmed');
  const renewed = sessionOf(headers);
  expect(await grave(hub, renewed)).toBe(200);
  expect(await actorOf(hub, renewed)).toMatchObject({ userId });
  expect(await actorOf(hub, cookie)).toMatchObject({ kind: 'Anonymous' });
  expect(await audited(hub, 'users_SessionSteppedUp')).toHaveLength(1);
});

test('at the provider nobody confirms as another, for another session, or who has a password', async () => {
  const parts = await scene();
  const { hub, hostile } = parts;
  const path = '/api/private/step-up/provider';
  const { cookie: byPassword } = await linked(parts, 'bea@example.com');
  const claims = { auth_time: secsNow() + 30 };
  hostile.lies = { claims };
  const has = await (await returning(parts, { path, cookie: byPassword })).come();
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
  const foreign = await begun.come([begun.flow, byPassword]);
  expect(foreign.headers.location).toBe('/settings/security?provider=invalid');
  const nobody = await hub.post(path, {});
  expect(nobody.status).toBe(401);
  expect(await audited(hub, 'users_SessionSteppedUp')).toEqual([]);
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
