import { expect, test } from 'vitest';
import {
  returning,
  scene as providerScene,
  sessionOf,
  type Scene as ProviderScene,
} from '../../../test/provider-scene.ts';
import { authenticatorCode } from '../../../test/authenticator-code.ts';
import { system } from '../../../test/http-hub.ts';
import { TakeDueMail } from '../../domains/users/internal/TakeDueMail.ts';

const password = 'correct horse battery';
const other = 'another horse battery';
const off = 'Passwords are switched off on this hub.';

/** A hub with the settings of the provider, an administrator and somebody else, each in a session by password. */
async function scene() {
  const parts = await providerScene();
  const { hub, hostile } = parts;
  const { userId: adminId } = await hub.user('admin@example.com', {
    password,
    isAdmin: true,
  });
  const { userId } = await hub.user('ann@example.com', { password });
  const admin = await hub.signIn('admin@example.com', password);
  const ann = await hub.signIn('ann@example.com', password);
  const set = (key: string, value: string | null) =>
    hub.invoke('instance_SetInstanceSettingRaw', { key, value }, { cookie: admin });
  // The issuer of the test is plain http, which only this way is taken.
  const given = {
    oidcIssuer: hostile.issuer,
    oidcClientId: 'corral',
    oidcClientSecret: 'secret',
  };
  for (const [key, value] of Object.entries(given)) expect((await set(key, value)).text).toBe('{}');
  const call = (name: string, input: unknown, cookie = admin) => hub.invoke(name, input, { cookie });
  const logIn = (email: string) => hub.post('/api/private/login', { email, password });
  return { ...parts, adminId, userId, admin, ann, set, call, logIn };
}

const come = async (parts: ProviderScene, path: string, cookie: string) =>
  (await returning(parts, { path, cookie })).come();
const tried = (parts: ProviderScene, cookie: string) =>
  come(parts, '/api/private/login/provider/test', cookie);
const linked = (parts: ProviderScene, cookie: string) =>
  come(parts, '/api/private/login/provider/link', cookie);

test('passwords are switched off only after a test, for everybody only after an administrator signed in at the provider within the hour, and by nobody else', async () => {
  const parts = await scene();
  const { hub, admin, ann, set, call } = parts;
  for (const value of ['administrators', 'nobody'])
    expect((await set('passwords', value)).text).toContain('Test a sign-in at the provider first');
  await tried(parts, admin);
  expect((await set('passwords', 'some')).text).toContain('must be allowed, administrators or nobody');
  const byAnn = await call('instance_SetInstanceSettingRaw', { key: 'passwords', value: 'nobody' }, ann);
  expect(byAnn.status).toBe(403);
  const early = 'Sign in at the provider first';
  expect((await set('passwords', 'nobody')).text).toContain(early);
  await linked(parts, ann);
  await (await returning(parts)).come();
  expect((await set('passwords', 'nobody')).text).toContain(early);
  await call('users_SetUserIsAdmin', { userId: parts.userId, isAdmin: true });
  hub.advance(3_601);
  await (await returning(parts)).come();
  const cookie = await hub.signIn('admin@example.com', password);
  hub.advance(301);
  const late = (value: string) => call('instance_SetInstanceSettingRaw', { key: 'passwords', value }, cookie);
  expect((await late('nobody')).text).toBe('{}');
  // The settings by which people sign in stay while nothing else lets anybody in.
  const change = { key: 'oidcIssuer', value: 'https://other.example' };
  expect((await call('instance_SetInstanceSettingRaw', change, cookie)).text).toContain(
    'Let administrators use passwords first',
  );
  hub.advance(301);
  expect((await late('allowed')).text).toContain('StepUpWanted');
});

test('a sign-in at the provider that waits for its second factor does not count as one', async () => {
  const parts = await scene();
  const { hub, adminId, admin, set, call } = parts;
  await tried(parts, admin);
  await linked(parts, admin);
  const secret = String((await call('users_BeginAuthenticatorEnrolment', {})).json['secret']);
  const codeAhead = (secs: number) => authenticatorCode(secret, new Date(Date.now() + secs * 1000));
  await call('users_ConfirmAuthenticatorEnrolment', { code: codeAhead(0) });
  const { headers } = await (await returning(parts)).come();
  expect(headers.location).toContain('/login?wants=factor');
  expect((await set('passwords', 'nobody')).text).toContain('Sign in at the provider first');
  const uses = async () => (await call('users_GetUserIdentities', { userId: adminId })).text;
  expect(await uses()).not.toContain('lastUsedAt');
  hub.advance(30);
  const cookie = [headers['set-cookie'] ?? []]
    .flat()
    .map((one) => one.split(';')[0])
    .join('; ');
  expect((await hub.post('/api/private/login/factor', { code: codeAhead(30) }, { cookie })).status).toBe(200);
  expect(await uses()).toContain('lastUsedAt');
  expect((await set('passwords', 'nobody')).text).toBe('{}');
});

test('a test of other settings does not count', async () => {
  const parts = await scene();
  await tried(parts, parts.admin);
  await parts.set('oidcClientId', 'another');
  expect((await parts.set('passwords', 'administrators')).text).toContain('Test a sign-in');
});

test('with passwords for administrators only, nobody else signs in by one, whether it is right or not, or gets one', async () => {
  const parts = await scene();
  const { hub, adminId, userId, admin, ann, set, call, logIn } = parts;
  const form = {
    email: 'bob@example.com',
    displayName: 'Bob',
    password,
    consentedToTerms: true,
  };
  expect((await hub.invoke('users_RegisterUser', form)).json['result']).toBe('Created');
  const mail = await hub.executor.run(system, TakeDueMail);
  const { json: link } = await call('users_IssuePasswordLink', { userId });
  await tried(parts, admin);
  expect((await set('passwords', 'administrators')).text).toBe('{}');
  const wrong = await hub.post('/api/private/login', {
    email: 'ann@example.com',
    password: other,
  });
  const right = await logIn('ann@example.com');
  expect([right.status, right.text]).toEqual([401, wrong.text]);
  expect((await logIn('admin@example.com')).status).toBe(200);
  const token = new URL(String(link['url'])).searchParams.get('jwt') ?? String(link['url']).split('=').at(-1);
  const activationToken = mail?.kind === 'Activation' ? mail.activationToken : '';
  const created = { email: 'new@example.com' };
  for (const [name, input, cookie] of [
    ['users_RegisterUser', { ...form, email: 'eve@example.com' }, ''],
    ['users_CompleteRegistration', { activationToken, password }, ''],
    ['users_SetPasswordByLink', { token, password: other }, ''],
    ['users_SetUserPassword', { userId, password: other, currentPassword: password }, ann],
    ['users_SetUserPassword', { userId, password: other }, admin],
    ['users_IssuePasswordLink', { userId }, admin],
    ['users_SendPasswordLink', { userId }, admin],
    ['users_CreateUser', { ...created, password }, admin],
    ['users_CreateUser', { ...created, sendPasswordLink: true }, admin],
  ] as const)
    expect((await call(name, input, cookie)).text, name).toContain(off);
  expect((await hub.post('/api/private/step-up', { password }, { cookie: ann })).text).toContain(off);
  expect((await hub.post('/api/private/step-up', { password }, { cookie: admin })).status).toBe(200);
  const accounts = await hub.database.db.selectFrom('users').select('user_id').execute();
  expect(accounts).toHaveLength(2);
  const session = sessionOf((await logIn('admin@example.com')).headers);
  const own = { userId: adminId, password: other, currentPassword: password };
  expect((await call('users_SetUserPassword', own, session)).text).toBe('{}');
  const boss = { email: 'boss@example.com', password, isAdmin: true };
  expect((await call('users_CreateUser', boss, session)).json['result']).toBe('Created');
});

test('with no passwords at all the provider lets people in, an identity that is all they have stays linked, and the page follows', async () => {
  const parts = await scene();
  const { hub, adminId, admin, set, call, logIn } = parts;
  await tried(parts, admin);
  await linked(parts, admin);
  await (await returning(parts)).come();
  const config = async () => (await hub.call('/api/config.json')).json;
  expect(await config()).not.toHaveProperty('prefersProvider');
  expect((await set('passwords', 'nobody')).text).toBe('{}');
  await expect.poll(config).toMatchObject({ prefersProvider: true, isRegistrationOpen: false });
  const answers = [await logIn('admin@example.com'), await logIn('nobody@example.com')];
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.text).toContain(off);
  expect(sessionOf((await (await returning(parts)).come()).headers)).not.toBe('');
  const identity = {
    userId: adminId,
    issuer: parts.hostile.issuer,
    subject: 'ann',
  };
  expect((await call('users_UnlinkIdentity', identity, admin)).text).toContain('the only way to sign in');
  // What `reset-administrator` calls: the operator always gets in.
  await hub.executor.invoke(system, 'users_SetUserPassword', {
    userId: adminId,
    password: other,
  });
  const back = { key: 'passwords', value: 'administrators' };
  await hub.executor.invoke(system, 'instance_SetInstanceSettingRaw', back);
  await hub.signIn('admin@example.com', other);
});
