import { ids, type Id } from '@corral/contract';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { anonymous, type FreshExecutorOptions } from '../../../../test/fresh-executor.ts';
import { createInviteScope, newAddress } from '../../../../test/invitation-scene.ts';
import { mailHub, type MailHub } from '../../../../test/mail-hub.ts';
import { tokenIn } from '../../../../test/smtp-inbox.ts';
import { auditText, signIn, trySignIn, validPassword } from '../../../../test/test-users.ts';

/** A mutable copy of what the hub reads with each call. */
const registration = { isOpen: false, concealsExisting: false, isMailConfigured: false };
let hub: MailHub;
let admin: Awaited<ReturnType<MailHub['user']>>;
beforeAll(async () => {
  hub = await mailHub({ registration } satisfies FreshExecutorOptions);
  admin = await hub.user('admin@example.com', { isAdmin: true });
});
afterAll(() => hub[Symbol.asyncDispose]());
beforeEach(() => {
  Object.assign(registration, { isOpen: false, concealsExisting: false, isMailConfigured: false });
});

const tokenOf = (url: string, name: string): string => new URL(url).searchParams.get(name) ?? '';
const userActor = (userId: string) =>
  ({ actor: 'User', kind: 'User', userId: userId as Id<'user'> }) as const;
const listed = async (email: string) =>
  (await hub.as(admin, 'users_QueryUsers', { search: email })).users.find((user) => user.email === email);
const pendingOf = async (email: string) =>
  (await hub.as(admin, 'users_QueryRegistrations', {})).registrations.filter((one) => one.email === email);

/** Somebody joins by the copied link of an invitation. */
async function joined() {
  const scope = await createInviteScope(hub, 'project');
  const email = newAddress();
  const invitationId = await scope.invite(scope.owner, email);
  const invitationToken = tokenOf(await scope.link(scope.owner, invitationId), 'invitation');
  const answer = await hub.register(email, { invitationToken });
  const userId = (await listed(email))?.userId ?? '';
  return { scope, email, invitationId, invitationToken, answer, user: userActor(userId) };
}

test('without a mail server the link of an invitation makes the account, which signs in and accepts it', async () => {
  const { scope, email, invitationId, answer, user } = await joined();
  expect(answer).toMatchObject({ result: 'Created', status: { tag: 'Completed' }, userId: user.userId });
  await signIn(hub, email, validPassword);
  expect(await scope.received(user)).toMatchObject([{ invitationId }]);
  await scope.on(user, 'Accept', invitationId);
  expect((await scope.members()).map(({ userId }) => userId)).toContain(user.userId);
});

test('any number of invited people join from one network', async () => {
  const scope = await createInviteScope(hub, 'project');
  for (let count = 0; count < 8; count += 1) {
    const email = newAddress();
    const invitationId = await scope.invite(scope.owner, email);
    const invitationToken = tokenOf(await scope.link(scope.owner, invitationId), 'invitation');
    const answer = await hub.register(email, { invitationToken, ip: '203.0.113.77' });
    expect(answer).toMatchObject({ status: { tag: 'Completed' } });
  }
});

test.each(['project', 'repository'] as const)(
  'its account gets no other invitation to the address, to a %s, until an administrator confirms it',
  async (kind) => {
    const { email, user } = await joined();
    expect(await listed(email)).toMatchObject({ isEmailUnconfirmed: true });
    const other = await createInviteScope(hub, kind);
    hub.emittedEvents.length = 0;
    const invitationId = await other.invite(other.owner, email);
    expect(hub.emittedEvents.map(({ name }) => name)).not.toContain('users_InvitationsChanged');
    const received = async () => (await other.received(user)).map((one) => one['invitationId']);
    expect(await received()).not.toContain(invitationId);
    expect((await other.refusedOn(user, 'Accept', invitationId)).message).toContain('Invitation not found');
    expect((await other.refusedOn(user, 'Decline', invitationId)).message).toContain('Invitation not found');

    expect((await hub.refusal(user, 'users_ConfirmUserEmail', { userId: user.userId })).kind).toBe(
      'Forbidden',
    );
    await hub.as(admin, 'users_ConfirmUserEmail', { userId: user.userId });
    expect(await received()).toContain(invitationId);
    expect(await listed(email)).not.toHaveProperty('isEmailUnconfirmed');
  },
);

test('a link to set a password confirms the address if it was mailed, and ends what whoever made the account has', async () => {
  const { email, user } = await joined();
  const { token: apiToken } = await hub.as(user, 'users_CreateUserToken', {
    userId: user.userId,
    name: 'ci',
  });
  expect(apiToken).toBeDefined();
  const { url } = await hub.as(admin, 'users_IssuePasswordLink', { userId: user.userId });
  const password = 'gravel lantern heron 42';
  const set = (token: string) => hub.as(anonymous, 'users_SetPasswordByLink', { token, password });
  expect(await set(tokenOf(url, 'jwt'))).toEqual({ result: 'Completed' });
  expect(await listed(email)).toMatchObject({ isEmailUnconfirmed: true });

  registration.isMailConfigured = true;
  const mails = hub.inbox.mails.length;
  // The owner of the address signs up, and finds that a stranger has made the account.
  registration.isOpen = true;
  expect(await hub.register(email)).toEqual({ result: 'EmailAlreadyExists' });
  const mail = await vi.waitUntil(() =>
    hub.inbox.mails.slice(mails).find(({ to, text }) => to[0] === email && text.includes('/set-password?')),
  );
  expect(await set(tokenIn(mail.text))).toEqual({ result: 'Completed' });
  expect(await listed(email)).not.toHaveProperty('isEmailUnconfirmed');
  expect((await hub.as(user, 'users_QueryUserTokens', { userId: user.userId })).tokens).toEqual([]);
});

test('a user has a link mailed to the own address, and to no other', async () => {
  const { user } = await joined();
  expect(await hub.as(user, 'users_SendPasswordLink', { userId: user.userId })).toHaveProperty('expiresAt');
  expect((await hub.refusal(user, 'users_SendPasswordLink', { userId: admin.userId })).message).toBe(
    'User not found.',
  );
  expect((await hub.refusal(user, 'users_IssuePasswordLink', { userId: user.userId })).kind).toBe(
    'Forbidden',
  );
});

test.each([
  ['for another address', () => newAddress()],
  ['used with capitals', (email: string) => email.toUpperCase()],
])('a link of an invitation %s makes an account of its own address only', async (_name, typed) => {
  const scope = await createInviteScope(hub, 'project');
  const email = newAddress();
  const invitationToken = tokenOf(
    await scope.link(scope.owner, await scope.invite(scope.owner, email)),
    'invitation',
  );
  registration.isOpen = true;
  const answer = await hub.register(typed(email), { invitationToken });
  const isOwn = typed(email).toLowerCase() === email;
  expect(answer).toMatchObject({ status: { tag: isOwn ? 'Completed' : 'Pending' } });
  expect(await listed(typed(email).toLowerCase())).toEqual(isOwn ? expect.anything() : undefined);
});

test('with a mail server the same link makes a registration, whose mail proves the address', async () => {
  registration.isMailConfigured = true;
  const { answer, email } = await joined();
  expect(answer).toMatchObject({ status: { tag: 'Pending' } });
  expect(await listed(email)).toBeUndefined();
});

test('where answers conceal accounts, the link of an invitation tells nobody of one', async () => {
  registration.concealsExisting = true;
  const { email, invitationToken, answer } = await joined();
  const again = await hub.register(email, { invitationToken });
  const shape = (one: object) => ({ ...one, userId: '', createdAt: '' });
  expect(shape(again)).toEqual(shape(answer));
});

test('a registration waits a week for an administrator, who copies its link or deletes it', async () => {
  registration.isOpen = true;
  const email = newAddress();
  const answer = await hub.register(email);
  expect(answer).toMatchObject({ result: 'Created', message: expect.stringContaining('administrator') });
  hub.advance(6 * 86_400);
  const [pending] = await pendingOf(email);
  const userId = pending?.userId as Id<'user'>;
  expect(answer).toMatchObject({ userId });
  expect((await hub.refusal(anonymous, 'users_QueryRegistrations', {})).kind).toBe('NotSignedIn');
  const { url, expiresAt } = await hub.as(admin, 'users_IssueRegistrationLink', { userId });
  expect(Date.parse(expiresAt) - hub.now().getTime()).toBe(86_400_000);
  expect(await auditText(hub)).not.toContain(tokenOf(url, 'jwt'));
  expect(await hub.complete(tokenOf(url, 'jwt'))).toMatchObject({ result: 'Completed' });
  expect(await listed(email)).not.toHaveProperty('isEmailUnconfirmed');
  expect(await pendingOf(email)).toEqual([]);
  expect((await hub.refusal(admin, 'users_IssueRegistrationLink', { userId })).message).toBe(
    'Registration not found.',
  );

  const second = newAddress();
  await hub.register(second);
  const [other] = await pendingOf(second);
  const otherId = other?.userId as Id<'user'>;
  const { url: deletedUrl } = await hub.as(admin, 'users_IssueRegistrationLink', { userId: otherId });
  await hub.as(admin, 'users_DeleteRegistration', { userId: otherId });
  expect(await hub.complete(tokenOf(deletedUrl, 'jwt'))).toEqual({ result: 'Failed' });
  expect(await trySignIn(hub, second, validPassword)).toEqual({ result: 'InvalidCredentials' });
});

test('a link says what it is about without being used, and that it was used', async () => {
  registration.isOpen = true;
  const email = newAddress();
  await hub.register(email, { displayName: 'Ann' });
  const [pending] = await pendingOf(email);
  const userId = pending?.userId as Id<'user'>;
  const { url } = await hub.as(admin, 'users_IssueRegistrationLink', { userId });
  const token = tokenOf(url, 'jwt');
  const resolve = (of: string) => hub.as(anonymous, 'users_ResolveAccountLink', { token: of });
  expect(await resolve(token)).toEqual({ result: 'Registration', userId, email, displayName: 'Ann' });
  expect(await resolve(token)).toMatchObject({ result: 'Registration' });
  expect(await hub.complete(token)).toMatchObject({ result: 'Completed' });
  expect(await resolve(token)).toEqual({ result: 'Active' });
  hub.advance(3 * 86_400);
  expect(await resolve(token)).toEqual({ result: 'Active' });
  for (const other of [token.slice(0, -3), 'a.b.c', ''])
    expect(await resolve(other)).toEqual({ result: 'NotFound' });

  const { url: passwordUrl } = await hub.as(admin, 'users_IssuePasswordLink', { userId });
  const passwordToken = tokenOf(passwordUrl, 'jwt');
  expect(await resolve(passwordToken)).toEqual({ result: 'Password', email, displayName: 'Ann' });
  expect(await auditText(hub)).not.toContain(passwordToken);
  hub.advance(86_401);
  expect(await resolve(passwordToken)).toEqual({ result: 'NotFound' });
});

test('a disabled user and one that does not exist get no link', async () => {
  const { user } = await joined();
  await hub.as(admin, 'users_SetUserIsDisabled', { userId: user.userId, isDisabled: true });
  expect((await hub.refusal(admin, 'users_IssuePasswordLink', { userId: user.userId })).message).toContain(
    'disabled',
  );
  const absent = ids.user.of('AAAAAAAAAAAAAAAAAAAAAA');
  for (const action of ['users_IssuePasswordLink', 'users_ConfirmUserEmail'] as const)
    expect((await hub.refusal(admin, action, { userId: absent })).message).toBe('User not found.');
});
