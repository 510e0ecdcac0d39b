import type { Output } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authenticatorCode } from '../../../test/authenticator-code.ts';
import { httpHub, type HttpHub, system } from '../../../test/http-hub.ts';
import { softwarePasskey } from '../../../test/software-authenticator.ts';

const origin = 'https://hub.example.org';
const password = 'correct horse battery';
let hub: HttpHub;
beforeAll(async () => {
  hub = await httpHub({ env: { CORRAL_PUBLIC_URL: origin, CORRAL_DEVICE_CERTIFICATE_HEADER: 'off' } });
});
afterAll(() => hub[Symbol.asyncDispose]());

test.each([1, 2, 3, 4, 5])('two first factors at once show recovery codes once (try %i)', async (round) => {
  const email = `ada-${round}@example.org`;
  await hub.user(email, { password });
  const cookie = await hub.signIn(email, password);
  const invoke = (name: string, input: unknown) => hub.invoke(name, input, { cookie });
  const { secret } = (await invoke('users_BeginAuthenticatorEnrolment', {})).json;
  const asked = (await invoke('users_BeginPasskeyRegistration', {})).json;
  const credential = softwarePasskey(origin).create(asked as Output<'users_BeginPasskeyRegistration'>);
  const code = authenticatorCode(String(secret), new Date());
  const answers = await Promise.all([
    invoke('users_AddPasskey', { name: 'Laptop', credential }),
    invoke('users_ConfirmAuthenticatorEnrolment', { code }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers.flatMap(({ json }) => json['recoveryCodes'] ?? [])).toHaveLength(10);
});

test('made up answers of a known passkey leave no rows of failed sign-ins', async () => {
  const email = 'bob@example.org';
  await hub.user(email, { password });
  const cookie = await hub.signIn(email, password);
  const invoke = (name: string, input: unknown) => hub.invoke(name, input, { cookie });
  const passkey = softwarePasskey(origin);
  const asked = (await invoke('users_BeginPasskeyRegistration', {})).json;
  const credential = passkey.create(asked as Output<'users_BeginPasskeyRegistration'>);
  await invoke('users_AddPasskey', { name: 'Laptop', credential });
  const rows = async () =>
    (await sql<{ n: number }>`select count(*)::integer as n from audit_actions`.execute(hub.database.db))
      .rows[0]?.n;
  const request = (await hub.post('/api/private/login/passkey/challenge', {})).json;
  const guess = async () => {
    const assertion = passkey.use(request as never, { isBogus: true });
    const { status, json } = await hub.post('/api/private/login/passkey', { passkey: assertion });
    expect([status, json['message']]).toEqual([400, 'This passkey was not accepted. Try again.']);
  };
  await guess();
  const before = await rows();
  for (let count = 0; count < 20; count += 1) await guess();
  expect((await rows()) ?? 0).toBeLessThanOrEqual((before ?? 0) + 1);
});

test('a sign-in that waits for a first factor adds none, and ends, once its user has a passkey: a password alone passes by no factor', async () => {
  const email = 'carl@example.org';
  await hub.user(email, { password });
  const cookie = await hub.signIn(email, password);
  const invoke = (name: string, input: unknown) => hub.invoke(name, input, { cookie });
  const set = (key: string, value: string) =>
    hub.executor.invoke(system, 'instance_SetInstanceSettingRaw', { key, value });
  await set('secondFactorGraceDays', '0');
  await set('secondFactor', 'everyone');
  const typed = await hub.post('/api/private/login', { email, password });
  expect(typed.json).toEqual({ wants: 'enrolment' });
  const waiting = { cookie: (typed.headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '' };
  const step = () => hub.post('/api/private/login/step', {}, waiting);
  const { secret } = (await step()).json;
  const asked = (await invoke('users_BeginPasskeyRegistration', {})).json;
  const credential = softwarePasskey(origin).create(asked as Output<'users_BeginPasskeyRegistration'>);
  expect((await invoke('users_AddPasskey', { name: 'Laptop', credential })).status).toBe(200);
  const code = authenticatorCode(String(secret), new Date());
  const done = await hub.post('/api/private/login/factor', { code }, waiting);
  const ended = 'This sign-in took too long, or too many codes were wrong. Sign in again.';
  expect([done.status, done.json['message']]).toEqual([400, ended]);
  expect((await step()).json['message']).toBe(ended);
  expect((await hub.post('/api/private/login', { email, password })).json).toEqual({ wants: 'factor' });
});
