import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { actorOf, linked, returning, type Scene, scene, sessionOf } from '../../../test/provider-scene.ts';

const discovery = { end_session_endpoint: 'https://idp.example/logout' };

/** The session that begins at the provider, and what the browser keeps for signing out there. */
async function enter(parts: Scene) {
  const { headers } = await (await returning(parts)).come();
  const kept = [headers['set-cookie'] ?? []].flat().find((one) => one.startsWith('provider-session='));
  return { session: sessionOf(headers), kept: kept ?? '', hint: kept?.split(';')[0] ?? '' };
}

/** Signs out, with what the browser sends. */
async function signOut({ hub }: Scene, ...cookies: string[]) {
  const answer = await hub.post('/api/private/logout', {}, { cookie: cookies.join('; ') });
  const { url } = answer.json as { url?: string };
  return { answer, url: url === undefined ? undefined : new URL(url, 'https://hub.example') };
}

test('who signs out of a session of the provider is led there, with the token by which it knows whom to sign out', async () => {
  const parts = await scene({ discovery });
  const { cookie: byPassword } = await linked(parts);
  const { session, kept, hint } = await enter(parts);
  expect(kept).toMatch(
    /^provider-session=[\w.-]+; Path=\/api\/private\/logout; HttpOnly; Secure; SameSite=Lax$/,
  );
  const { answer, url } = await signOut(parts, session, hint);
  expect(`${url?.origin}${url?.pathname}`).toBe('https://idp.example/logout');
  const { id_token_hint: token = '', ...others } = Object.fromEntries(url?.searchParams ?? []);
  expect(others).toEqual({
    client_id: 'corral',
    post_logout_redirect_uri: `${parts.hub.url}/login?signedOut=true`,
  });
  expect(decodeJwt(token)).toMatchObject({ iss: parts.hostile.issuer, aud: 'corral', sub: 'ann' });
  expect(answer.headers['set-cookie']).toContain(
    'provider-session=; Max-Age=0; Path=/api/private/logout; HttpOnly; Secure; SameSite=Lax',
  );
  expect((await signOut(parts, byPassword, hint)).answer.json).toEqual({});
  const signature = token.split('.')[2] ?? '';
  expect(signature.length).toBeGreaterThan(100);
  const stored = await parts.hub.database.db.selectFrom('audit_actions').selectAll().execute();
  expect(JSON.stringify(stored) + parts.hub.logged() + kept).not.toContain(signature);
});

test('a sign-out goes without the token where the browser keeps none, another one, or that of somebody else', async () => {
  const parts = await scene({ discovery });
  await linked(parts);
  const { hint } = await enter(parts);
  const { hint: ofBefore } = await enter(parts);
  const hintOf = async (...cookies: string[]) => {
    const { session } = await enter(parts);
    const { url } = await signOut(parts, session, ...cookies);
    expect(url?.hostname).toBe('idp.example');
    return url?.searchParams.get('id_token_hint');
  };
  for (const cookie of ['', 'provider-session=', `${hint.slice(0, -4)}AAAA`, 'provider-session=a.b'])
    expect(await hintOf(cookie)).toBeNull();
  expect(await hintOf(ofBefore)).not.toBeNull();
  await parts.hub.database.db.updateTable('user_identities').set({ subject: 'eve' }).execute();
  parts.hostile.lies = { discovery, claims: { sub: 'eve' }, userinfo: { sub: 'eve' } };
  expect(await hintOf(ofBefore)).toBeNull();
});

test('a token that is too large for a cookie is not kept, and one that is kept from before goes', async () => {
  const parts = await scene({ discovery, claims: { padding: 'x'.repeat(1_600) } });
  await linked(parts);
  const { session, kept, hint } = await enter(parts);
  expect(kept).toContain('provider-session=; Max-Age=0;');
  expect((await signOut(parts, session, hint)).url?.hostname).toBe('idp.example');
});

test('the token is kept through a second factor, too', async () => {
  const parts = await scene({ discovery });
  await linked(parts);
  const db = parts.hub.database.db;
  for (const [key, value] of Object.entries({ secondFactor: 'everyone', secondFactorGraceDays: 0 }))
    await db
      .insertInto('instance_settings')
      .values({ key, value: JSON.stringify(value), changed_at: new Date() })
      .execute();
  const { session, kept } = await enter(parts);
  expect([session, kept]).toEqual(['', expect.stringMatching(/^provider-session=\w/)]);
});

test('a provider without a place to sign out, or that is down, keeps nobody signed in', async () => {
  const parts = await scene();
  await linked(parts);
  const { session, hint } = await enter(parts);
  expect((await signOut(parts, session, hint)).answer.json).toEqual({ url: '/login?signedOut=true' });
  expect(await actorOf(parts.hub, session)).toMatchObject({ kind: 'Anonymous' });
});
