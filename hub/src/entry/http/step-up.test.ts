import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { authenticatorCode } from '../../../test/authenticator-code.ts';
import { httpHub, type HttpHub } from '../../../test/http-hub.ts';

const password = 'correct horse battery';
let hub: HttpHub;
let other: HttpHub;
beforeAll(async () => {
  hub = await httpHub();
  other = await httpHub({ database: hub.database, bus: hub.bus });
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await hub[Symbol.asyncDispose]();
});

let people = 0;
let aheadSecs = 0;
let email: string;
let userId: string;
let cookie: string;
beforeEach(async () => {
  email = `ada-${(people += 1)}@example.org`;
  ({ userId } = await hub.user(email, { password }));
  const answer = await hub.post('/api/private/login', { email, password, remember: true });
  cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
});

const stepUp = (body: unknown, given = cookie, at = hub) =>
  at.post('/api/private/step-up', body, { cookie: given });
const deleteProject = async (given = cookie) => {
  const { json } = await hub.invoke('projects_CreateProject', { name: `Farm ${people}` }, { cookie: given });
  return hub.invoke('projects_DeleteProject', json, { cookie: given });
};
/** Makes the session eleven minutes old, and the identity that was read of it. */
async function grow(): Promise<void> {
  await sql`update user_sessions set stepped_up_at = stepped_up_at - interval '11 minutes'`.execute(
    hub.database.db,
  );
  aheadSecs += 3;
  hub.advance(3);
  other.advance(3);
}
const statusOf = async (given: string, at = hub) =>
  (await at.invoke('actor_GetActor', {}, { cookie: given })).json;

test('an old session is asked for the password, and goes on with another cookie: the one before is dead on both nodes at once', async () => {
  await grow();
  const refused = await deleteProject();
  expect([refused.status, refused.json]).toMatchObject([
    403,
    { kind: 'Forbidden', reason: { kind: 'StepUpWanted' } },
  ]);
  for (const at of [hub, other]) expect(await statusOf(cookie, at)).toMatchObject({ actor: { userId } });
  const before = (await hub.invoke('users_QueryUserSessions', { userId }, { cookie })).json;
  const answer = await stepUp({ password });
  expect([answer.status, answer.text]).toEqual([200, '{}']);
  const [set = ''] = answer.headers['set-cookie'] ?? [];
  expect(set).toMatch(
    /^__Host-session=u_session_sk_\w{66}; Max-Age=259\d{4}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
  const renewed = set.split(';')[0] ?? '';
  expect(renewed.slice(0, '__Host-session=u_session_sk_'.length + 22)).not.toBe(
    cookie.slice(0, '__Host-session=u_session_sk_'.length + 22),
  );
  for (const at of [hub, other]) {
    expect(await statusOf(cookie, at)).toMatchObject({ actor: { actor: 'Anonymous' } });
    expect(await statusOf(renewed, at)).toMatchObject({ actor: { userId } });
  }
  expect((await deleteProject(renewed)).status).toBe(200);
  // It is the same session, with what is open in it: pages of devices, live views, sign-ins that it approved.
  const after = (await hub.invoke('users_QueryUserSessions', { userId }, { cookie: renewed })).json;
  const idsOf = ({ sessions }: Record<string, unknown>) =>
    (sessions as { sessionId: string }[]).map(({ sessionId }) => sessionId);
  expect(idsOf(after)).toEqual(idsOf(before));
  expect((await hub.post('/api/private/logout', {}, { cookie: renewed })).status).toBe(200);
  for (const at of [hub, other])
    expect(await statusOf(renewed, at)).toMatchObject({ actor: { actor: 'Anonymous' } });
});

test('two confirmations at once leave one cookie that works', async () => {
  const answers = await Promise.all([stepUp({ password }), stepUp({ password }, cookie, other)]);
  const cookies = answers
    .flatMap(({ headers }) => headers['set-cookie'] ?? [])
    .map((set) => set.split(';')[0] ?? '');
  await grow();
  const live = await Promise.all(
    cookies.map(async (one) => JSON.stringify(await statusOf(one)).includes(userId)),
  );
  expect(live.filter(Boolean)).toHaveLength(1);
});

test('wrong passwords are counted as those of sign-ins, and lock the next of both', async () => {
  expect((await stepUp({ password: 'wrong' })).json['message']).toBe('This password is not right.');
  let status = 400;
  for (let guess = 0; guess < 20 && status === 400; guess += 1)
    ({ status } = await stepUp({ password: 'wrong' }));
  expect(status).toBe(429);
  expect((await stepUp({ password })).status).toBe(429);
  expect((await hub.post('/api/private/login', { email, password })).status).toBe(429);
});

test('with a second factor a code is asked for: a password alone is refused, and each code counts once', async () => {
  const begun = (await hub.invoke('users_BeginAuthenticatorEnrolment', {}, { cookie })).json;
  const codeIn = (secs: number) =>
    authenticatorCode(String(begun['secret']), new Date(Date.now() + (aheadSecs + secs) * 1000));
  const first = codeIn(0);
  const confirmed = await hub.invoke('users_ConfirmAuthenticatorEnrolment', { code: first }, { cookie });
  expect(confirmed.status).toBe(200);
  const [recoveryCode] = confirmed.json['recoveryCodes'] as string[];
  expect((await stepUp({ password })).json['message']).toBe(
    'Your account has a second factor: confirm with it, not with the password.',
  );
  expect((await stepUp({ code: first })).json['message']).toBe(
    'This code was used already. Wait for the next one.',
  );
  for (const proof of [{ code: codeIn(30) }, { recoveryCode }]) {
    const right = await stepUp(proof);
    expect(right.status).toBe(200);
    cookie = right.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  }
  expect((await stepUp({ recoveryCode })).json['message']).toBe(
    'This recovery code is not right, or was used already.',
  );
  const { sessions } = (await hub.invoke('users_QueryUserSessions', { userId }, { cookie })).json;
  expect(sessions).toMatchObject([{ methods: ['password', 'totp', 'recoveryCode'] }]);
  await stepUp({ code: '000000' });
  const factors = (await hub.invoke('users_GetSecondFactors', { userId }, { cookie })).json;
  expect(factors).toMatchObject({ recoveryCodesLeft: 9, authenticator: { lastWrongAt: expect.any(String) } });
});

test.each([{}, { password: '' }, { code: 7 }, { password, code: '000000' }, null])(
  'a body %j is refused in a sentence',
  async (body) => {
    const answer = await stepUp(body);
    expect([answer.status, String(answer.json['message'])]).toEqual([
      400,
      expect.stringMatching(/^(Please enter|Give one of) .*\.$/),
    ]);
  },
);

test('pages of other origins, user tokens and visitors confirm nothing', async () => {
  const { json } = await hub.invoke('users_CreateUserToken', { userId }, { cookie });
  const refused = [
    await hub.post('/api/private/step-up', { password }, { cookie, 'sec-fetch-site': 'cross-site' }),
    await hub.post(
      '/api/private/step-up',
      { password },
      { authorization: `Bearer ${String(json['token'])}` },
    ),
    await hub.post('/api/private/step-up', { password }),
  ];
  expect(refused.map(({ status }) => status)).toEqual([403, 403, 401]);
});
