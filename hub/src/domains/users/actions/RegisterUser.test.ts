import type * as Argon2 from '@node-rs/argon2';
import { hash } from '@node-rs/argon2';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { anonymous, userActor } from '../../../../test/fresh-executor.ts';
import { mailHub, type MailHub } from '../../../../test/mail-hub.ts';
import { auditText, auditedStatuses, validPassword, signIn, trySignIn } from '../../../../test/test-users.ts';
import { tokenIn } from '../../../../test/smtp-inbox.ts';

// The real library, with its calls counted.
vi.mock('@node-rs/argon2', async (load) => {
  const library = await load<typeof Argon2>();
  return { ...library, hash: vi.fn(library.hash) };
});

let hub: MailHub;
beforeEach(async () => void (hub = await mailHub()));
afterEach(() => hub[Symbol.asyncDispose]());

const names = () => hub.emittedEvents.map(({ name }) => name);
const registrations = () => hub.database.db.selectFrom('user_registrations').selectAll().execute();
const users = () => hub.database.db.selectFrom('users').selectAll().execute();

test('a new address is answered Created, has no account yet, and gets a link', async () => {
  const answer = await hub.register(' Ann@Example.com ');
  expect(answer).toEqual({
    result: 'Created',
    status: { tag: 'Pending' },
    message: expect.stringContaining('24 hours'),
    createdAt: '2026-11-20T12:00:00.000Z',
    userId: expect.stringMatching(/^u_/),
  });
  expect(await users()).toEqual([]);
  expect(await trySignIn(hub, 'ann@example.com', validPassword)).toEqual({ result: 'InvalidCredentials' });
  await hub.inbox.until(1);
  expect(hub.inbox.mails[0]).toMatchObject({ to: ['ann@example.com'], from: 'no-reply@hub.example' });
  expect(names().slice(0, 2)).toEqual(['users_RegistrationCreated', 'mail_Queued']);
});

test('an address with a pending registration is answered Pending, with the time of the first one', async () => {
  const first = await hub.register('ann@example.com');
  await hub.inbox.until(1);
  await hub.mail.sendDue();
  hub.advance(60);
  const second = await hub.register('ann@example.com', { password: 'another good one 8' });
  expect(second).toMatchObject({ result: 'Pending', status: { tag: 'Waiting' } });
  expect(Date.parse((second as { createdAt: string }).createdAt)).toBe(
    Date.parse((first as { createdAt: string }).createdAt),
  );
});

test('an address with an account is answered EmailAlreadyExists, changes nothing, and its owner gets an e-mail', async () => {
  await hub.user('ann@example.com', { password: validPassword });
  const before = await users();
  const answer = await hub.register('ann@example.com', { password: 'a thief picks this 5' });
  expect(answer).toEqual({ result: 'EmailAlreadyExists' });
  expect([await users(), await registrations()]).toEqual([before, []]);
  await hub.inbox.until(1);
  const { to, headers, text } = hub.inbox.mails[0]!;
  expect([to, headers['subject']]).toEqual([['ann@example.com'], 'You already have an account']);
  expect(text).toContain('Somebody tried to make an account with this e-mail address');
  expect(text).toContain('https://hub.example/login');
  expect(text).not.toContain('jwt=');
});

test('the link confirms the password of its own registration, not of others for the same address', async () => {
  await hub.register('ann@example.com', { password: 'a thief picks this 5' });
  await hub.inbox.until(1);
  await hub.register('ann@example.com', { password: 'what ann herself typed' });
  await hub.inbox.until(2);
  const [thiefs, own] = hub.inbox.mails.map(({ text }) => tokenIn(text));
  expect(await hub.complete(own!)).toEqual({ result: 'Completed' });
  expect(await hub.complete(thiefs!)).toEqual({ result: 'Failed' });
  await signIn(hub, 'ann@example.com', 'what ann herself typed');
  expect(await registrations()).toEqual([]);
});

test.each([
  [{ displayName: '   ' }, 'Please enter your full name.'],
  [{ displayName: 'x'.repeat(201) }, 'Full name must be at most 200 characters long.'],
  [{ email: 'ann' }, 'Please enter a valid email address.'],
  [{ password: '1234567' }, 'Password must be at least 8 characters long.'],
  [{ password: 'x'.repeat(1025) }, 'Password must be at most 1024 bytes long.'],
  [{ password: 'password123' }, 'This password is one of the most common ones. Please choose another one.'],
  [{ consentedToTerms: false }, 'Please agree to the Terms of Service and Privacy Policy.'],
])('%j is refused and changes nothing', async (wrong, message) => {
  const form = { email: 'ann@example.com', password: validPassword, consentedToTerms: true };
  const input = { ...form, ...wrong };
  expect(await hub.refusal(anonymous, 'users_RegisterUser', input)).toEqual({ kind: 'Invalid', message });
  expect([await registrations(), hub.emittedEvents, hub.inbox.mails]).toEqual([[], [], []]);
  expect(await hub.database.db.selectFrom('request_counts').selectAll().execute()).toEqual([]);
  expect(await auditedStatuses(hub, 'users_RegisterUser')).toEqual(['Failed']);
});

test('unknown fields make no user an administrator', async () => {
  const more = { isAdmin: true, is_admin: true, userId: 'u_1234567891234567891234' };
  await hub.register('ann@example.com', more as object);
  await hub.inbox.until(1);
  await hub.complete(tokenIn(hub.inbox.mails[0]!.text));
  expect(await users()).toMatchObject([{ email: 'ann@example.com', is_admin: false }]);
});

test('every outcome hashes one password and sends one e-mail', async () => {
  await hub.user('owner@example.com', { password: validPassword });
  const counted: [string, number][] = [];
  for (const email of ['new@example.com', 'new@example.com', 'owner@example.com']) {
    vi.mocked(hash).mockClear();
    const { result } = await hub.register(email);
    counted.push([result, vi.mocked(hash).mock.calls.length]);
  }
  expect(counted).toEqual([
    ['Created', 1],
    ['Pending', 1],
    ['EmailAlreadyExists', 1],
  ]);
  await hub.inbox.until(3);
});

test('passwords and links are in no log, and no link is stored in the database', async () => {
  await hub.register('ann@example.com', { password: 'canary in the mine' });
  await hub.inbox.until(1);
  await hub.mail.sendDue();
  const token = tokenIn(hub.inbox.mails[0]!.text);
  await hub.complete(token);
  const { rows } = { rows: await hub.database.db.selectFrom('queued_mails').selectAll().execute() };
  const recorded = (await auditText(hub)) + hub.logged() + JSON.stringify([hub.emittedEvents, rows]);
  for (const secret of ['canary', token, token.split('.')[2]!, '$argon2'])
    expect(recorded).not.toContain(secret);
});

describe('limits', () => {
  const ip = '203.0.113.9';
  const refused = (email: string, from: string) => {
    const form = { email, password: validPassword, consentedToTerms: true };
    return hub.refusal(anonymous, 'users_RegisterUser', form, { ip: from });
  };
  const throttled = {
    kind: 'Throttled',
    message: expect.stringMatching(/^Too many requests\. Try again in \d+ \w+\.$/),
  };

  test('a network may register 5 times an hour, and no password is hashed for the sixth', async () => {
    for (let n = 1; n <= 5; n += 1) await hub.register(`n${n}@example.com`, { ip });
    vi.mocked(hash).mockClear();
    expect(await refused('n6@example.com', ip)).toEqual(throttled);
    expect(hash).not.toHaveBeenCalled();
    expect(await registrations()).toHaveLength(5);
    await hub.register('n6@example.com', { ip: '203.0.113.10' });
    hub.advance(3600);
    await hub.register('n7@example.com', { ip });
    expect((await auditedStatuses(hub, 'users_RegisterUser')).filter((s) => s === 'Rejected')).toHaveLength(
      1,
    );
  });

  test('concurrent registrations are limited like sequential ones', async () => {
    const tries = Array.from({ length: 9 }, (_, n) => hub.register(`n${n}@example.com`, { ip }));
    const outcomes = await Promise.allSettled(tries);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await registrations()).toHaveLength(5);
  });

  test('an address gets 5 e-mails an hour from any network, and the answer does not disclose it', async () => {
    for (let n = 1; n <= 5; n += 1) await hub.register('ann@example.com');
    expect(await hub.register('ann@example.com')).toMatchObject({ result: 'Pending' });
    await hub.inbox.until(5);
    await hub.mail.sendDue();
    expect(hub.inbox.mails).toHaveLength(5);
    expect(await registrations()).toHaveLength(5);
  });
});

describe('by configuration', () => {
  test('a hub with registration closed refuses all registrations', async () => {
    await hub[Symbol.asyncDispose]();
    hub = await mailHub({ registration: { isOpen: false, concealsExisting: false, isMailConfigured: true } });
    const someone = await hub.user('someone@example.com');
    const refusal = {
      kind: 'Forbidden',
      message: 'This hub takes no registrations. Ask its administrator for an account.',
    };
    const form = { email: 'ann@example.com', password: validPassword, consentedToTerms: true };
    for (const actor of [anonymous, userActor(someone.userId)]) {
      expect(await hub.refusal(actor, 'users_RegisterUser', form)).toEqual(refusal);
      expect(await hub.refusal(actor, 'users_ResendRegistrationEmail', form)).toEqual(refusal);
    }
    expect(await registrations()).toEqual([]);
  });

  test('a hub that conceals accounts always answers Created, and still sends the owner an e-mail', async () => {
    await hub[Symbol.asyncDispose]();
    hub = await mailHub({ registration: { isOpen: true, concealsExisting: true, isMailConfigured: true } });
    await hub.user('owner@example.com');
    const first = await hub.register('new@example.com');
    expect(first.result).toBe('Created');
    const alike = { ...first, userId: expect.stringMatching(/^u_.{22}$/) };
    expect(await hub.register('new@example.com')).toEqual(alike);
    expect(await hub.register('owner@example.com')).toEqual(alike);
    await hub.inbox.until(3);
    const subjects = hub.inbox.mails.map(({ to, headers }) => [to[0], headers['subject']]);
    expect(subjects).toContainEqual(['owner@example.com', 'You already have an account']);
  });
});
