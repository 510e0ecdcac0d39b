import { afterEach, expect, test } from 'vitest';
import { validPassword } from '../../test/test-users.ts';
import { httpHub, system, type HttpHub } from '../../test/http-hub.ts';
import { TakeDueMail } from '../internal/mail/TakeDueMail.ts';

let hub: HttpHub;
afterEach(() => hub[Symbol.asyncDispose]());

const form = {
  displayName: 'Ann',
  email: 'ann@example.com',
  password: validPassword,
  consentedToTerms: true,
};

test('a visitor registers, follows the link and signs in', async () => {
  hub = await httpHub();
  const { status, json } = await hub.invoke('users_RegisterUser', form);
  expect([status, json['result'], json['status']]).toEqual([200, 'Created', { tag: 'Pending' }]);
  expect((await hub.post('/api/private/login', form)).status).toBe(401);
  const taken = await hub.executor.run(system, TakeDueMail);
  if (taken?.kind !== 'Activation') throw new Error('no link was queued');
  const { activationToken } = taken;
  const complete = async () => (await hub.invoke('users_CompleteRegistration', { activationToken })).json;
  expect([await complete(), await complete()]).toEqual([{ result: 'Completed' }, { result: 'Failed' }]);
  await hub.signIn('ann@example.com', validPassword);
});

test('the page of the link sends no referrer, and its answers are not cached', async () => {
  hub = await httpHub();
  expect((await hub.call('/signup/verify?jwt=x')).headers['referrer-policy']).toBe('no-referrer');
  const { headers } = await hub.invoke('users_CompleteRegistration', { activationToken: 'x' });
  expect(headers['cache-control']).toBe('no-store');
});

test('the sixth registration in an hour is answered 429 with Retry-After', async () => {
  hub = await httpHub();
  for (let n = 1; n <= 5; n += 1)
    await hub.invoke('users_RegisterUser', { ...form, email: `n${n}@example.com` });
  const { status, headers, json } = await hub.invoke('users_RegisterUser', form);
  expect([status, json['message']]).toEqual([429, 'Too many requests. Try again in 60 minutes.']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(3500);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(3600);
});

test('a closed hub answers 403', async () => {
  hub = await httpHub({ env: { CORRAL_REGISTRATION: 'closed' } });
  const { status, json } = await hub.invoke('users_RegisterUser', form);
  expect([status, json['kind']]).toEqual([403, 'Forbidden']);
});

test('a large form is refused unread', async () => {
  hub = await httpHub();
  const answer = await hub.invoke('users_RegisterUser', { ...form, more: 'x'.repeat(70_000) });
  expect(answer.status).toBe(413);
});
