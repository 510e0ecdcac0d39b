import { actions, ids } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticatorCode } from '../../../test/authenticator-code.ts';
import { httpHub, type HttpHub } from '../../../test/http-hub.ts';
import { absentId } from '../../../test/fresh-executor.ts';
import { type NamedThings, sampleInput } from '../../../test/sample-inputs.ts';

const email = 'ada@example.org';
const password = 'correct horse battery';
let hub: HttpHub;
let secret: string;
let recoveryCodes: readonly string[];
beforeAll(async () => {
  hub = await httpHub();
  const { userId } = await hub.user(email, { password, isAdmin: true });
  const cookie = await hub.signIn(email, password);
  const invoke = async (name: string, input: unknown) => (await hub.invoke(name, input, { cookie })).json;
  const begun = await invoke('users_BeginAuthenticatorEnrolment', {});
  secret = String(begun['secret']);
  ({ recoveryCodes } = (await invoke('users_ConfirmAuthenticatorEnrolment', { code: code() })) as never);
  expect((await invoke('users_GetSecondFactors', { userId }))['authenticator']).toBeDefined();
});
afterAll(() => hub[Symbol.asyncDispose]());

let aheadSecs = 0;
const code = () => authenticatorCode(secret, new Date(Date.now() + aheadSecs * 1000));
function nextCode(): string {
  aheadSecs += 30;
  hub.advance(30);
  return code();
}

/** Signs in with the password; returns the cookie of the sign-in that waits. */
async function begin(): Promise<string> {
  const answer = await hub.post('/api/private/login', { email, password, remember: true });
  expect([answer.status, answer.json]).toEqual([200, { wants: 'factor' }]);
  const [cookie = '', ...others] = answer.headers['set-cookie'] ?? [];
  expect(others).toEqual([]);
  expect(cookie).toMatch(/^__Host-sign-in=u_sign_in_sk_\w{66}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  return cookie.split(';')[0] ?? '';
}

const complete = (cookie: string, body: unknown) => hub.post('/api/private/login/factor', body, { cookie });

test('a sign-in ends with a code: the browser gets the cookie of a session, and loses that of the sign-in', async () => {
  const cookie = await begin();
  const wrong = await complete(cookie, { code: '000000' });
  expect([wrong.status, wrong.headers['set-cookie']]).toEqual([400, undefined]);
  const answer = await complete(cookie, { code: nextCode() });
  expect([answer.status, answer.text]).toEqual([200, '{}']);
  expect(answer.headers['set-cookie']).toEqual([
    expect.stringMatching(/^__Host-session=u_session_sk_\w{66}; Max-Age=2592000; /),
    expect.stringMatching(/^__Host-sign-in=; Max-Age=0; /),
  ]);
  const again = await complete(cookie, { code: nextCode() });
  expect(again.json['message']).toBe(
    'This sign-in took too long, or too many codes were wrong. Sign in again.',
  );
  expect((await complete(await begin(), { recoveryCode: recoveryCodes[0] })).status).toBe(200);
});

test.each([{}, { code: '' }, { code: 7 }, { code: 'x'.repeat(101) }, null])(
  'a body %j is refused in a sentence',
  async (body) => {
    const answer = await complete(await begin(), body);
    expect([answer.status, answer.json['message']]).toEqual([400, 'Please enter a code.']);
  },
);

test('pages of other origins end no sign-in', async () => {
  const cookie = await begin();
  for (const path of ['/api/private/login/factor', '/api/private/login/step']) {
    const answer = await hub.post(path, { code: code() }, { cookie, 'sec-fetch-site': 'same-site' });
    expect([path, answer.status]).toEqual([path, 403]);
  }
});

test('a sign-in that waits can do nothing else: whatever its secret is sent as, every action takes its caller for nobody', async () => {
  const pending = await begin();
  const token = pending.split('=')[1] ?? '';
  const things = Object.fromEntries(
    (Object.keys(ids) as (keyof typeof ids)[]).map((kind) => [kind, absentId(kind)]),
  ) as unknown as NamedThings;
  for (const name of Object.keys(actions) as (keyof typeof actions)[]) {
    const input = sampleInput(name, things, new Date());
    const nobody = await hub.invoke(name, input);
    for (const headers of [{ cookie: pending }, { cookie: `__Host-session=${token}` }]) {
      const answer = await hub.invoke(name, input, headers as never);
      expect([name, answer.status]).toEqual([name, nobody.status]);
    }
  }
  const asBearer = await hub.invoke('actor_GetActor', {}, { authorization: `Bearer ${token}` });
  expect(asBearer.status).toBe(401);
  expect((await hub.invoke('actor_GetActor', {}, { cookie: pending })).json['actor']).toMatchObject({
    kind: 'Anonymous',
  });
});

test('whoever has no sign-in that waits leaves no row in the audit log, however often they try', async () => {
  const rows = async () =>
    (await hub.database.db.selectFrom('audit_actions').select('action').execute()).length;
  const before = await rows();
  const made = ids.pendingSignIn.of('z'.repeat(66));
  for (const cookie of [`__Host-sign-in=${made}`, '__Host-sign-in=x', ''])
    for (const path of ['/api/private/login/factor', '/api/private/login/step'])
      expect((await hub.post(path, { code: '123456' }, { cookie })).status).toBe(400);
  expect(await rows()).toBe(before);
});
