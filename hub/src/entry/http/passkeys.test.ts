import type { PasskeyRequest } from '@corral/contract';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { httpHub } from '../../../test/http-hub.ts';
import {
  openPasskeyHubs,
  hub,
  other,
  somebody,
  begin,
  add,
  withPasskey,
  factorsOf,
  typePassword,
  answer,
  challenge,
  enter,
  eventsOf,
  origin,
  off,
  email,
  password,
  type Person,
} from '../../../test/passkey-scene.ts';
import { type Deviations, softwarePasskey } from '../../../test/software-authenticator.ts';

openPasskeyHubs();

test('a passkey is a second factor after the password; the first factor brings recovery codes, a further one none', async () => {
  const ada = await withPasskey();
  expect(ada.recoveryCodes).toHaveLength(10);
  expect((await add(ada, softwarePasskey(origin))).json).toEqual({});
  const { cookie, step, request } = await typePassword(ada);
  expect(step).toMatchObject({ wants: 'factor', hasAuthenticator: false });
  expect(request).toMatchObject({ rpId: 'hub.example.org', credentials: [{}, {}] });
  expect(request.credentials).toContainEqual({ id: ada.passkey.credentialId, transports: ['internal'] });
  const done = await answer(cookie, ada.passkey.use(request));
  expect([done.status, done.text]).toEqual([200, '{}']);
  expect(done.headers['set-cookie']?.[0]).toMatch(/^__Host-session=/);
  const { sessions } = (await ada.invoke('users_QueryUserSessions', { userId: ada.userId })).json as never;
  expect(sessions).toContainEqual(expect.objectContaining({ methods: ['password', 'passkey'] }));
  const { passkeys, recoveryCodesLeft } = await factorsOf(ada);
  expect(recoveryCodesLeft).toBe(10);
  expect(passkeys[0]).toMatchObject({ name: 'Laptop', lastUsedAt: expect.any(String), isBackedUp: false });
  expect(passkeys[0]).not.toHaveProperty('worksOnlyAt');
  expect(
    (
      await hub.post(
        '/api/private/login/factor',
        { recoveryCode: ada.recoveryCodes?.[0] },
        { cookie: (await typePassword(ada)).cookie },
      )
    ).status,
  ).toBe(200);
});

test('a passkey signs in without a password, and satisfies a policy that asks for a second factor', async () => {
  const ada = await withPasskey();
  const request = await challenge();
  expect(request.credentials).toEqual([]);
  const userHandle = Buffer.from(ada.userId.replace(/^u_/, '')).toString('base64url');
  const done = await enter(ada.passkey.use(request, { userHandle }), hub, { remember: true });
  expect([done.status, done.text]).toEqual([200, '{}']);
  expect(done.headers['set-cookie']?.[0]).toMatch(/^__Host-session=\S+; Max-Age=2592000; /);
  const { sessions } = (await ada.invoke('users_QueryUserSessions', { userId: ada.userId })).json as never;
  expect(sessions).toContainEqual(expect.objectContaining({ methods: ['passkey'] }));
});

/** What authenticators and attackers get wrong. */
const wrongs: readonly [string, Deviations][] = [
  ['a bogus signature', { isBogus: true }],
  ['a user who was not verified', { isVerified: false }],
  ['a user who was not present', { isPresent: false }],
  ['another RP ID', { rpId: 'example.org' }],
  ['another origin', { origin: 'https://hub.example.org:8443' }],
  ['an origin below the name', { origin: 'https://a.hub.example.org' }],
  ['a challenge that nobody made', { challenge: Buffer.alloc(56).toString('base64url') }],
  ['the type of a registration', { type: 'webauthn.create' }],
  ['the handle of another user', { userHandle: 'b3RoZXI' }],
];

describe.each(wrongs)('%s', (_what, deviations) => {
  test('does not sign in without a password', async () => {
    const { passkey } = await withPasskey();
    const refused = await enter(passkey.use(await challenge(), deviations));
    expect([refused.status, refused.json['message'], refused.headers['set-cookie']]).toEqual([
      400,
      'This passkey was not accepted. Try again.',
      undefined,
    ]);
  });

  test('is no second factor, and counts as a try', async () => {
    const ada = await withPasskey();
    const { cookie, request } = await typePassword(ada);
    const refused = await answer(cookie, ada.passkey.use(request, deviations));
    expect([refused.status, refused.headers['set-cookie']]).toEqual([400, undefined]);
    expect(refused.json['message']).toMatch(/^This passkey was not accepted/);
    expect(await eventsOf('users_SecondFactorFailed')).toContainEqual(
      expect.objectContaining({ userId: ada.userId }),
    );
  });
});

test.each(wrongs.slice(1, 7))('%s adds no passkey', async (_what, deviations) => {
  const person = await somebody();
  const refused = await add(person, softwarePasskey(origin), deviations);
  expect([refused.status, refused.json['message']]).toEqual([
    400,
    expect.stringMatching(/^This passkey was not added/),
  ]);
  expect((await factorsOf(person)).passkeys).toEqual([]);
});

test('the passkey of another user is no second factor', async () => {
  const [ada, bob] = [await withPasskey(), await withPasskey()];
  const { cookie, request } = await typePassword(ada);
  expect((await answer(cookie, bob.passkey.use(request))).status).toBe(400);
  expect((await answer(cookie, ada.passkey.use(request))).status).toBe(200);
});

test('a challenge is good for what it was made for, once and for five minutes', async () => {
  const ada = await withPasskey();
  const registration = await begin(ada);
  const { cookie, request: factor } = await typePassword(ada);
  const { request: foreign } = await typePassword(ada);
  const signIn = await challenge();
  const { rpId, credentials } = signIn;
  const use = (from: { challenge: string }) =>
    ada.passkey.use({ rpId, credentials, challenge: from.challenge });
  for (const from of [registration, factor]) expect((await enter(use(from))).status).toBe(400);
  for (const from of [registration, signIn, foreign])
    expect((await answer(cookie, use(from))).status).toBe(400);
  for (const from of [signIn, factor]) {
    const credential = softwarePasskey(origin).create({ ...registration, challenge: from.challenge });
    expect((await ada.invoke('users_AddPasskey', { name: 'x', credential })).status).toBe(400);
  }
  const assertion = use(signIn);
  expect((await enter(assertion)).status).toBe(200);
  expect((await enter(assertion)).status).toBe(400);
  expect((await enter(use(signIn), other)).status).toBe(400);
  const made = softwarePasskey(origin);
  expect(
    (await ada.invoke('users_AddPasskey', { name: 'x', credential: made.create(registration) })).status,
  ).toBe(200);
  const again = softwarePasskey(origin).create(registration);
  expect((await ada.invoke('users_AddPasskey', { name: 'x', credential: again })).status).toBe(400);
  const late = await challenge();
  hub.advance(301);
  expect((await enter(use(late))).status).toBe(400);
  expect((await enter(use(await challenge()))).status).toBe(200);
});

test('one answer, sent forty times at once to two hubs, makes one session', async () => {
  const ada = await withPasskey();
  const assertion = ada.passkey.use(await challenge());
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => enter(assertion, index % 2 === 0 ? hub : other)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const { sessions } = (await ada.invoke('users_QueryUserSessions', { userId: ada.userId })).json as never;
  const byPasskey = (sessions as { methods: string[] }[]).filter(({ methods }) => methods[0] === 'passkey');
  expect(byPasskey).toHaveLength(1);
});

test('a counter that goes back is in the audit log and signs in: synced passkeys do not count', async () => {
  const ada = await withPasskey();
  const went = () => eventsOf('users_PasskeyCounterWentBack');
  expect((await enter(ada.passkey.use(await challenge(), { counter: 7 }))).status).toBe(200);
  expect(await went()).toEqual([]);
  expect((await enter(ada.passkey.use(await challenge(), { counter: 7 }))).status).toBe(200);
  const { cookie, request } = await typePassword(ada);
  expect((await answer(cookie, ada.passkey.use(request, { counter: 3 }))).status).toBe(200);
  expect(await went()).toEqual(Array(2).fill({ userId: ada.userId, name: 'Laptop' }));
  const synced = await withPasskey();
  for (const _ of [1, 2])
    expect((await enter(synced.passkey.use(await challenge(), { counter: 0 }))).status).toBe(200);
  expect(await went()).toHaveLength(2);
});

test('a disabled user does not come in by a passkey', async () => {
  const [ada, admin] = [await withPasskey(), await somebody(true)];
  await admin.invoke('users_SetUserIsDisabled', { userId: ada.userId, isDisabled: true });
  expect((await enter(ada.passkey.use(await challenge()))).status).toBe(400);
});

test('before the password is right, no answer says that an account has a passkey', async () => {
  const [ada, bob] = [await withPasskey(), await somebody()];
  const wrong = (person: Person) =>
    hub.post('/api/private/login', { email: person.email, password: 'something else' });
  const [ofAda, ofBob] = [await wrong(ada), await wrong(bob)];
  expect([ofAda.status, ofAda.text, ofAda.headers['set-cookie']]).toEqual([
    ofBob.status,
    ofBob.text,
    ofBob.headers['set-cookie'],
  ]);
  expect((await challenge()).credentials).toEqual([]);
  const nobody = await enter(softwarePasskey(origin).use(await challenge()));
  expect(nobody.json['message']).toBe('This hub does not know this passkey. Sign in with your password.');
});

test.each([{}, { passkey: 7 }, { passkey: { credentialId: 'x'.repeat(5_000) } }, null])(
  'an answer %j is refused in a sentence',
  async (body) => {
    const refused = await hub.post('/api/private/login/passkey', body);
    expect([refused.status, refused.json['message']]).toEqual([400, 'This is no answer of a passkey.']);
  },
);

test('pages of other origins sign nobody in', async () => {
  const { passkey } = await withPasskey();
  const body = { passkey: passkey.use(await challenge()) };
  for (const path of ['/api/private/login/passkey', '/api/private/login/passkey/challenge'])
    expect((await hub.post(path, body, { 'sec-fetch-site': 'same-site' })).status).toBe(403);
});

test('a hub that browsers know by address or by plain HTTP only says that it has no passkeys', async () => {
  await using plain = await httpHub({
    env: { CORRAL_PUBLIC_URL: 'http://192.0.2.7', CORRAL_ALLOW_INSECURE_HTTP: 'true', ...off },
  });
  expect((await plain.call('/api/config.json')).json).not.toHaveProperty('passkeyOrigin');
  expect((await hub.call('/api/config.json')).json['passkeyOrigin']).toBe(origin);
  expect((await plain.post('/api/private/login/passkey/challenge', {})).json['message']).toBe(
    'This hub has no name at which browsers know passkeys.',
  );
  await plain.user(email, { password });
  const cookie = await plain.signIn(email, password);
  expect((await plain.invoke('users_BeginPasskeyRegistration', {}, { cookie })).json['message']).toMatch(
    /^Browsers know passkeys only by a host name with https/,
  );
});

test('a passkey of another name of the hub is shown with it, is not asked for, and does not sign in: its user is told what helps', async () => {
  const ada = await withPasskey();
  const { database } = hub;
  await using moved = await httpHub({
    env: { CORRAL_PUBLIC_URL: 'https://new.example.org', ...off },
    database: { ...database, [Symbol.asyncDispose]: async () => {} },
  });
  const cookie = await moved.signIn(ada.email, password);
  const step = (await moved.post('/api/private/login/step', {}, { cookie })).json;
  const reason = 'Your passkeys work only at hub.example.org, and this hub is new.example.org now.';
  expect(step).toEqual({
    wants: 'factor',
    hasAuthenticator: false,
    notice: `${reason} Sign in with a recovery code, and set up a new factor.`,
  });
  const refused = await enter(
    ada.passkey.use(await challenge(moved), { origin: 'https://new.example.org' }),
    moved,
  );
  expect(refused.status).toBe(400);
  const done = await moved.post(
    '/api/private/login/factor',
    { recoveryCode: ada.recoveryCodes?.[0] },
    { cookie },
  );
  const session = (done.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  const factors = await moved.invoke('users_GetSecondFactors', { userId: ada.userId }, { cookie: session });
  expect(factors.json['passkeys']).toMatchObject([{ worksOnlyAt: 'hub.example.org' }]);
  await sql`update recovery_codes set used_at = now()`.execute(hub.database.db);
  const { headers } = await moved.post('/api/private/login', { email: ada.email, password });
  const waits = { cookie: (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '' };
  expect((await moved.post('/api/private/login/step', {}, waits)).json['notice']).toBe(
    `${reason} You have no recovery code left: ask another administrator to remove your second factors, or who runs the hub to do so by the command reset-administrator --remove-second-factors.`,
  );
});

test('a passkey confirms who has a session, in this session only; then the password alone does not', async () => {
  const ada = await withPasskey();
  const sessionOf = async () => {
    const { cookie, request } = await typePassword(ada);
    const done = await answer(cookie, ada.passkey.use(request));
    return (done.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  };
  const [cookie, other] = [await sessionOf(), await sessionOf()];
  const ask = async (of: string) =>
    (await hub.post('/api/private/step-up/passkey', {}, { cookie: of })).json as unknown as PasskeyRequest;
  const confirm = (body: unknown) => hub.post('/api/private/step-up', body, { cookie });
  hub.advance(601);
  const remove = (of: string) =>
    hub.invoke('users_DeletePasskey', { credentialId: ada.passkey.credentialId }, { cookie: of });
  expect((await remove(cookie)).json['reason']).toEqual({ kind: 'StepUpWanted' });
  expect((await confirm({ password })).json['message']).toMatch(/^Your account has a second factor/);
  const signIn = await challenge();
  for (const passkey of [
    ada.passkey.use(await ask(other)),
    ada.passkey.use(signIn),
    ada.passkey.use(await ask(cookie), { isVerified: false }),
  ])
    expect((await confirm({ passkey })).json['message']).toMatch(/^This passkey was not accepted/);
  const request = await ask(cookie);
  const done = await confirm({ passkey: ada.passkey.use(request) });
  expect([done.status, done.text]).toEqual([200, '{}']);
  const renewed = (done.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '';
  expect(
    (await hub.post('/api/private/step-up', { passkey: ada.passkey.use(request) }, { cookie: renewed }))
      .status,
  ).toBe(400);
  expect((await remove(renewed)).status).toBe(200);
  expect((await hub.post('/api/private/step-up/passkey', {})).status).toBe(401);
});
