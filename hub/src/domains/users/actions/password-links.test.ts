import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { anonymous } from '../../../../test/fresh-executor.ts';
import { mailHub, type MailHub } from '../../../../test/mail-hub.ts';
import { tokenIn } from '../../../../test/smtp-inbox.ts';
import { auditText, signIn, trySignIn, validPassword } from '../../../../test/test-users.ts';

let hub: MailHub;
let admin: Awaited<ReturnType<MailHub['user']>>;
beforeAll(async () => {
  hub = await mailHub();
  admin = await hub.user('admin@example.com', { isAdmin: true });
});
afterAll(() => hub[Symbol.asyncDispose]());

const newPassword = 'gravel lantern heron 42';

/** Runs something that mails a link, and returns its token. Mails about something else may come in between. */
async function mailed(send: () => Promise<unknown>): Promise<string> {
  const count = hub.inbox.mails.length;
  await send();
  const find = () => hub.inbox.mails.slice(count).find(({ text }) => text.includes('?jwt='));
  return tokenIn((await vi.waitUntil(find)).text);
}

let visitors = 0;
const setBy = (token: string, password = newPassword) =>
  hub.as(anonymous, 'users_SetPasswordByLink', { token, password }, { ip: `198.51.100.${(visitors += 1)}` });

test('a new user sets the first password by the mailed link, once', async () => {
  const email = 'ann@example.com';
  const token = await mailed(() =>
    hub.as(admin, 'users_CreateUser', { email, displayName: 'Ann', sendPasswordLink: true }),
  );
  expect(hub.inbox.mails.at(-1)).toMatchObject({ headers: { subject: 'Set your password' }, to: [email] });
  expect(await hub.refusal(anonymous, 'users_SetPasswordByLink', { token, password: 'short' })).toMatchObject(
    {
      kind: 'Invalid',
    },
  );
  expect(await setBy(token)).toEqual({ result: 'Completed' });
  await signIn(hub, email, newPassword);
  expect(await setBy(token, validPassword)).toEqual({ result: 'Failed' });
  expect(await auditText(hub)).not.toContain(token);
});

test('a link ends the sessions of its user, and the user is told', async () => {
  const bea = await hub.user('bea@example.com', { password: validPassword });
  await signIn(hub, 'bea@example.com', validPassword);
  const token = await mailed(() => hub.as(admin, 'users_SendPasswordLink', { userId: bea.userId }));
  expect(await trySignIn(hub, 'bea@example.com', validPassword)).toMatchObject({ result: 'Created' });
  expect(await setBy(token)).toEqual({ result: 'Completed' });
  // The e-mails of the test before may come in between.
  const subjects = () =>
    hub.inbox.mails.filter(({ to }) => to[0] === 'bea@example.com').map(({ headers }) => headers['subject']);
  await vi.waitFor(() => expect(subjects()).toEqual(['Set your password', 'Your password was changed']));
  expect((await hub.as(bea, 'users_QueryUserSessions', { userId: bea.userId })).sessions).toEqual([]);
  expect(await trySignIn(hub, 'bea@example.com', validPassword)).toEqual({ result: 'InvalidCredentials' });
});

test('one of two uses at once completes', async () => {
  const cas = await hub.user('cas@example.com');
  const token = await mailed(() => hub.as(admin, 'users_SendPasswordLink', { userId: cas.userId }));
  const results = await Promise.all([setBy(token), setBy(token), setBy(token)]);
  expect(results.map(({ result }) => result).toSorted()).toEqual(['Completed', 'Failed', 'Failed']);
});

test('a link fails after a later one, a change of the password, disabling, and 24 hours', async () => {
  const { userId } = await hub.user('dan@example.com');
  const send = () => mailed(() => hub.as(admin, 'users_SendPasswordLink', { userId }));
  const first = await send();
  const second = await send();
  expect(await setBy(first)).toEqual({ result: 'Failed' });
  await hub.as(admin, 'users_SetUserPassword', { userId, password: validPassword });
  expect(await setBy(second)).toEqual({ result: 'Failed' });
  const third = await send();
  await hub.as(admin, 'users_SetUserIsDisabled', { userId, isDisabled: true });
  expect(await hub.refusal(admin, 'users_SendPasswordLink', { userId })).toEqual({
    kind: 'Invalid',
    message: 'This user is disabled. Enable the user first.',
  });
  await hub.as(admin, 'users_SetUserIsDisabled', { userId, isDisabled: false });
  expect(await setBy(third)).toEqual({ result: 'Failed' });
  const fourth = await send();
  hub.advance(24 * 3600 + 1);
  expect(await setBy(fourth)).toEqual({ result: 'Failed' });
  expect(await setBy('nobody signed this')).toEqual({ result: 'Failed' });
});

test('a user gets at most five links an hour, from administrators or by own request', async () => {
  const eve = await hub.user('eve@example.com');
  const input = { userId: eve.userId };
  const other = await hub.user('other@example.com');
  expect((await hub.refusal(other, 'users_SendPasswordLink', input)).message).toBe('User not found.');
  for (let sent = 0; sent < 5; sent += 1) await hub.as(admin, 'users_SendPasswordLink', input);
  expect((await hub.refusal(admin, 'users_SendPasswordLink', input)).kind).toBe('Throttled');
});
