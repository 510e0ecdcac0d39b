import { afterEach, expect, test } from 'vitest';
import { validPassword } from '../../../test/test-users.ts';
import { httpHub, system, type HttpHub } from '../../../test/http-hub.ts';
import { TakeDueMail } from '../../domains/users/internal/TakeDueMail.ts';

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
