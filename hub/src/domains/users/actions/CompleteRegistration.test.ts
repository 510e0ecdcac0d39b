import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { anonymous } from '../../../../test/fresh-executor.ts';
import { mailHub, type MailHub } from '../../../../test/mail-hub.ts';
import { validPassword, signIn, trySignIn } from '../../../../test/test-users.ts';
import { tokenIn } from '../../../../test/smtp-inbox.ts';
import { instanceKey } from '../../instance/sql/instance-keys.ts';
import { testVault } from '../../../../test/test-vault.ts';
import { CleanupExpiredUserSessions } from '../internal/CleanupExpiredUserSessions.ts';

let hub: MailHub;
beforeEach(async () => void (hub = await mailHub()));
afterEach(() => hub[Symbol.asyncDispose]());

const users = () => hub.database.db.selectFrom('users').selectAll().execute();

/** Registers and returns the token of the e-mail. */
async function registered(email: string, more: Parameters<MailHub['register']>[1] = {}): Promise<string> {
  const count = hub.inbox.mails.length;
  await hub.register(email, more);
  await hub.inbox.until(count + 1);
  await hub.mail.sendDue();
  return tokenIn(hub.inbox.mails.at(-1)!.text);
}

test('the link creates the account with name, password and consents; a second use fails', async () => {
  const token = await registered('ann@example.com', { consentedToMarketing: true });
  hub.advance(600);
  expect(await hub.complete(token)).toEqual({ result: 'Completed' });
  const [ann] = await users();
  expect(ann).toMatchObject({ email: 'ann@example.com', display_name: 'Somebody New', is_admin: false });
  const [terms, marketing] = [ann!.consented_to_terms_at, ann!.consented_to_marketing_at];
  expect([terms, marketing]).toEqual(['2026-11-20T12:00:00Z', '2026-11-20T12:00:00Z']);
  await signIn(hub, 'ann@example.com', validPassword);
  expect(await hub.complete(token)).toEqual({ result: 'Failed' });
  expect(await users()).toHaveLength(1);
});

test('the events of registration, e-mail and account have the same user', async () => {
  const token = await registered('ann@example.com');
  await hub.complete(token);
  const userId = `u_${(await users())[0]!.user_id}`;
  const emitted = hub.emittedEvents.filter(({ name }) => name.startsWith('users_'));
  expect(emitted.map(({ name, data }) => [name, data])).toEqual([
    ['users_RegistrationCreated', { userId, email: 'ann@example.com' }],
    ['users_RegistrationEmailSent', { userId, email: 'ann@example.com' }],
    ['users_Created', { userId, email: 'ann@example.com' }],
    ['users_RegistrationCompleted', { userId }],
  ]);
});

test('one of two concurrent uses completes', async () => {
  const token = await registered('ann@example.com');
  const results = await Promise.all([hub.complete(token), hub.complete(token), hub.complete(token)]);
  expect(results.map(({ result }) => result).toSorted()).toEqual(['Completed', 'Failed', 'Failed']);
});

test('without marketing consent none is stored', async () => {
  await hub.complete(await registered('ann@example.com', { consentedToMarketing: false }));
  expect(await users()).toMatchObject([{ consented_to_marketing_at: null }]);
});

test('a link fails after 24 hours, and its registration is deleted', async () => {
  const token = await registered('ann@example.com');
  hub.advance(24 * 3600);
  expect(await hub.complete(token)).toEqual({ result: 'Failed' });
  expect(await users()).toEqual([]);
  await hub.run(CleanupExpiredUserSessions);
  for (const table of ['user_registrations', 'queued_mails'] as const)
    expect(await hub.database.db.selectFrom(table).selectAll().execute()).toEqual([]);
  expect(await hub.register('ann@example.com')).toMatchObject({ result: 'Created' });
});

test('a changed token, one for another purpose and one of another hub fail, and the link stays valid', async () => {
  const token = await registered('ann@example.com');
  const [head = '', body = '', signature = ''] = token.split('.');
  const { jti } = JSON.parse(Buffer.from(body, 'base64url').toString()) as { jti: string };
  const key = await instanceKey({ tx: hub.database.db, now: hub.now(), vault: testVault }, 'activation');
  const signed = (audience: string, by: Uint8Array) =>
    new SignJWT()
      .setProtectedHeader({ alg: 'HS256', typ: 'activation+jwt' })
      .setAudience(audience)
      .setJti(jti)
      .setIssuedAt(hub.now())
      .setExpirationTime(new Date(hub.now().getTime() + 1000))
      .sign(by);
  const otherBody = Buffer.from(JSON.stringify({ jti, aud: 'activation' })).toString('base64url');
  const bad = [
    `${head}.${otherBody}.${signature}`,
    await signed('proxy', key),
    await signed('activation', randomBytes(32)),
    '',
    'x'.repeat(8_000),
  ];
  for (const one of bad) expect(await hub.complete(one)).toEqual({ result: 'Failed' });
  expect(await users()).toEqual([]);
  expect(await hub.complete(await signed('activation', key))).toEqual({ result: 'Completed' });
});

test('an account that an administrator created meanwhile is not changed', async () => {
  const token = await registered('ann@example.com');
  const ann = await hub.user('ann@example.com', { password: 'the administrators choice' });
  expect(await hub.complete(token)).toEqual({ result: 'Failed' });
  expect(await users()).toMatchObject([{ user_id: ann.userId.slice(2), display_name: null }]);
  await signIn(hub, 'ann@example.com', 'the administrators choice');
});

test('the reader of the mail sets the password, and the one who registered the address does not know it', async () => {
  await hub.register('victim@example.com', { password: 'a thief picks this 5' });
  await hub.inbox.until(1);
  const activationToken = tokenIn(hub.inbox.mails[0]!.text);
  const complete = (password: string) =>
    hub.as(anonymous, 'users_CompleteRegistration', { activationToken, password });
  const refusal = await hub.refusal(anonymous, 'users_CompleteRegistration', {
    activationToken,
    password: 'victim@example.com',
  });
  expect(refusal.kind).toBe('Invalid');
  expect(await complete('what the owner chose 7')).toEqual({ result: 'Completed' });
  expect(await trySignIn(hub, 'victim@example.com', 'a thief picks this 5')).toEqual({
    result: 'InvalidCredentials',
  });
  await signIn(hub, 'victim@example.com', 'what the owner chose 7');
});
