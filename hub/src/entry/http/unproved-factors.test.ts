import { ids } from '@corral/contract';
import { expect, test } from 'vitest';
import { authenticatorCode } from '../../../test/authenticator-code.ts';
import { system } from '../../../test/http-hub.ts';
import { actorOf, linked, password, returning, scene, sessionOf } from '../../../test/provider-scene.ts';

const confirmAtProvider = '/api/private/step-up/provider';

/** Somebody who is linked, at a hub that asks everyone for a second factor at once. */
async function person({ hasPassword = false } = {}) {
  const parts = await scene();
  const { hub, hostile } = parts;
  const { db } = hub.database;
  const { userId, cookie: first } = await linked(parts);
  if (!hasPassword) await db.updateTable('users').set({ password_hash: null }).execute();
  const settings = { secondFactor: 'everyone', secondFactorGraceDays: 0, oidcIssuer: hostile.issuer };
  for (const [key, value] of Object.entries(settings))
    await db
      .insertInto('instance_settings')
      .values({ key, value: JSON.stringify(value), changed_at: new Date() })
      .execute();
  let secret = '';
  let recoveryCodes: string[] = [];
  let aheadSecs = 0;
  const advance = (secs: number) => {
    aheadSecs += secs;
    hub.advance(secs);
  };
  const nextCode = () => {
    advance(30);
    return { code: authenticatorCode(secret, new Date(Date.now() + aheadSecs * 1000)) };
  };
  const recoveryCode = () => ({ recoveryCode: recoveryCodes.pop() ?? '' });
  /** Ends a sign-in that waits, with a code or a recovery code. */
  const finish = async (cookie: string, factor: (() => object) | undefined) => {
    const step = (await hub.post('/api/private/login/step', {}, { cookie })).json;
    secret = String(step['secret'] ?? secret);
    const answer = await hub.post('/api/private/login/factor', (factor ?? nextCode)(), { cookie });
    expect(answer.status, answer.text).toBe(200);
    recoveryCodes = (answer.json['recoveryCodes'] as string[] | undefined) ?? recoveryCodes;
    return sessionOf(answer.headers);
  };
  const waiting = (headers: Record<string, unknown>) =>
    [headers['set-cookie'] ?? []]
      .flat()
      .map((one) => String(one).split(';')[0] ?? '')
      .find((one) => one.startsWith('__Host-sign-in=')) ?? '';
  return {
    parts,
    hub,
    userId,
    first,
    advance,
    nextCode,
    recoveryCode,
    takeRecoveryCodes: (codes: string[]) => (recoveryCodes = codes),
    /** Signs in at the provider, so many seconds after proving there who it is; undefined: the provider does not say when. */
    async atProvider(provedSecsAgo?: number, factor?: () => object) {
      const auth_time =
        provedSecsAgo === undefined ? undefined : Math.floor(Date.now() / 1000) + aheadSecs - provedSecsAgo;
      hostile.lies = { claims: { auth_time } };
      return finish(waiting((await (await returning(parts)).come()).headers), factor);
    },
    async byPassword() {
      const { headers } = await hub.post('/api/private/login', { email: 'ann@example.com', password });
      return waiting(headers);
    },
    finish,
    stepUp: (cookie: string, proof: object) => hub.post('/api/private/step-up', proof, { cookie }),
    /** Signs in again at the provider, in another tab, and returns the cookie of the session. */
    async confirmAtProvider(cookie: string) {
      const { come } = await returning(parts, { path: confirmAtProvider, cookie });
      hostile.lies = { claims: { auth_time: Math.floor(Date.now() / 1000) + 1 } };
      const { headers } = await come();
      expect(headers.location).toBe('/settings/security?provider=confirmed');
      return sessionOf(headers);
    },
    grave: (cookie: string) =>
      hub.post('/api/private/login/provider/link', {}, { cookie }).then(({ status }) => status),
    ways: async (cookie: string) =>
      (await hub.invoke('users_GetSecondFactors', { userId }, { cookie })).json['confirmsBy'],
  };
}

const unproved = 'was set up without a proof of who you are';

test('an authenticator that was set up in an open session of the provider confirms nothing, nor do its recovery codes', async () => {
  const ann = await person();
  const cookie = await ann.atProvider();
  expect(await ann.grave(cookie)).toBe(403);
  for (const proof of [ann.nextCode(), ann.recoveryCode()]) {
    const { status, text } = await ann.stepUp(cookie, proof);
    expect([status, text]).toEqual([400, expect.stringContaining(unproved)]);
    expect(text).toContain('confirm by signing in at the provider');
  }
  expect(await ann.ways(cookie)).toEqual(['provider']);
});

test('nor do they after signing out and in again, by a code or a recovery code, or in another session', async () => {
  const ann = await person();
  const first = await ann.atProvider();
  const second = await ann.atProvider();
  expect(await actorOf(ann.hub, second)).toMatchObject({ userId: ann.userId });
  await ann.hub.post('/api/private/logout', {}, { cookie: first });
  const third = await ann.atProvider(undefined, ann.recoveryCode);
  const stale = await ann.atProvider(700);
  for (const cookie of [second, third, stale]) {
    expect(await ann.grave(cookie)).toBe(403);
    expect((await ann.stepUp(cookie, ann.nextCode())).status).toBe(400);
    expect((await ann.stepUp(cookie, ann.recoveryCode())).status).toBe(400);
  }
});

test('they confirm once their user has confirmed at the provider', async () => {
  const ann = await person();
  const cookie = await ann.confirmAtProvider(await ann.atProvider());
  expect(await ann.grave(cookie)).toBe(200);
  expect(await ann.ways(cookie)).toEqual(['totp', 'recoveryCode']);
  ann.advance(601);
  expect(await ann.grave(cookie)).toBe(403);
  const renewed = await ann.stepUp(cookie, ann.nextCode());
  expect(await ann.grave(sessionOf(renewed.headers))).toBe(200);
  expect(await ann.grave(await ann.atProvider())).toBe(200);
  expect(await ann.grave(await ann.atProvider(undefined, ann.recoveryCode))).toBe(200);
  const late = await returning(ann.parts, { path: confirmAtProvider, cookie: sessionOf(renewed.headers) });
  expect((await late.come()).headers.location).toBe('/settings/security?provider=notproved');
});

test('they confirm at once where the sign-in that set them up, or a later one with a code, was a proof', async () => {
  const ann = await person();
  expect(await ann.grave(await ann.atProvider(60))).toBe(200);
  expect(await ann.grave(await ann.atProvider())).toBe(200);
  const bob = await person();
  await bob.atProvider();
  expect(await bob.grave(await bob.atProvider(60))).toBe(200);
  expect(await bob.grave(await bob.atProvider(undefined, bob.recoveryCode))).toBe(200);
});

test('a password proves them only together with a code: whoever set them up may be another', async () => {
  const ann = await person({ hasPassword: true });
  const cookie = await ann.atProvider();
  await ann.byPassword();
  const withoutFactor = await ann.stepUp(ann.first, { password });
  expect(await ann.grave(sessionOf(withoutFactor.headers))).toBe(200);
  expect((await ann.stepUp(cookie, ann.nextCode())).text).toContain('confirm by your password');
  expect(await ann.ways(cookie)).toEqual(['password', 'provider']);
  expect(await ann.grave(await ann.finish(await ann.byPassword(), ann.recoveryCode))).toBe(200);
  expect(await ann.grave(await ann.atProvider())).toBe(403);
  await ann.finish(await ann.byPassword(), ann.nextCode);
  expect(await ann.grave(await ann.atProvider())).toBe(200);
  expect((await ann.stepUp(cookie, { password })).text).toContain('confirm with it, not with the password');
  expect(await ann.ways(cookie)).toEqual(['totp', 'recoveryCode']);
});

test('a password that is typed to confirm proves the authenticator of the session', async () => {
  const ann = await person({ hasPassword: true });
  const { headers } = await ann.stepUp(await ann.atProvider(), { password });
  expect(await ann.grave(sessionOf(headers))).toBe(200);
  expect(await ann.grave(await ann.atProvider())).toBe(200);
});

test('a session of an authenticator that was there before proves no other', async () => {
  const ann = await person({ hasPassword: true });
  const old = await ann.finish(await ann.byPassword(), undefined);
  await ann.hub.executor.invoke(system, 'users_RemoveSecondFactors', { userId: ann.userId });
  ann.advance(1);
  await ann.atProvider();
  expect((await ann.stepUp(old, { password })).status).toBe(200);
  expect(await ann.grave(await ann.atProvider())).toBe(403);
});

test('with an authenticator that was set up without a proof its recovery codes go, too, where a passkey stays', async () => {
  const ann = await person({ hasPassword: true });
  await ann.atProvider();
  const proved = sessionOf((await ann.stepUp(ann.first, { password })).headers);
  await ann.hub.database.db
    .insertInto('passkeys')
    .values({
      credential_id: 'one',
      user_id: ids.user.raw(ann.userId),
      name: 'Laptop',
      rp_id: 'hub.example.org',
      public_key: Buffer.alloc(1),
      counter: 0,
      transports: [],
      is_backed_up: false,
      created_at: new Date(),
    })
    .execute();
  const remove = { userId: ann.userId, kind: 'authenticator' };
  await ann.hub.executor.invoke(system, 'users_RemoveSecondFactors', remove as never);
  const { json } = await ann.hub.invoke('users_GetSecondFactors', { userId: ann.userId }, { cookie: proved });
  expect(json).toMatchObject({ recoveryCodesLeft: 0, passkeys: [{ name: 'Laptop' }] });
});

test('recovery codes that were renewed after a proof confirm, and the authenticator beside them does not', async () => {
  const ann = await person({ hasPassword: true });
  await ann.atProvider();
  const proved = sessionOf((await ann.stepUp(ann.first, { password })).headers);
  const { json } = await ann.hub.invoke('users_RenewRecoveryCodes', {}, { cookie: proved });
  ann.takeRecoveryCodes(json['recoveryCodes'] as string[]);
  expect(await ann.ways(proved)).toEqual(['recoveryCode', 'password', 'provider']);
  expect(await ann.grave(await ann.atProvider())).toBe(403);
  const cookie = await ann.atProvider(undefined, ann.recoveryCode);
  expect(await ann.grave(cookie)).toBe(200);
  expect((await ann.stepUp(cookie, ann.recoveryCode())).status).toBe(200);
});
