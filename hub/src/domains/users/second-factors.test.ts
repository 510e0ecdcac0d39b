import { type Actor, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { authenticatorCode } from '../../../test/authenticator-code.ts';
import { freshExecutor, type FreshExecutor, system } from '../../../test/fresh-executor.ts';
import { signIn, trySignIn, validPassword } from '../../../test/test-users.ts';
import { DatabaseClient } from '../../platform/db/connect.ts';
import { BeginSignInEnrolment } from './internal/BeginSignInEnrolment.ts';
import { CleanupExpiredUserSessions } from './internal/CleanupExpiredUserSessions.ts';
import { CompleteSignIn } from './internal/CompleteSignIn.ts';

const email = 'ann@example.com';
let hub: FreshExecutor;
let ann: Extract<Actor, { actor: 'User' }>;
beforeEach(async () => {
  hub = await freshExecutor();
  ann = await hub.user(email, { password: validPassword, isAdmin: true });
});
afterEach(() => hub[Symbol.asyncDispose]());

/** The code that the app of a secret shows, some seconds from now. */
function codeOf(secret: string, afterSecs = 0): string {
  return authenticatorCode(secret, new Date(hub.now().getTime() + afterSecs * 1000));
}

/** Sets up an authenticator, and moves on to the next code. */
async function enrol(actor = ann): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = await hub.as(actor, 'users_BeginAuthenticatorEnrolment', {});
  const code = codeOf(secret);
  const { recoveryCodes = [] } = await hub.as(actor, 'users_ConfirmAuthenticatorEnrolment', { code });
  hub.advance(30);
  return { secret, recoveryCodes };
}

/** Signs in with the password, as far as that goes. */
async function begin(
  wanted: 'FactorWanted' | 'EnrolmentWanted' = 'FactorWanted',
): Promise<Id<'pendingSignIn'>> {
  const answer = await trySignIn(hub, email, validPassword);
  if (answer.result !== wanted) throw new Error(`not ${wanted}: ${answer.result}`);
  return answer.pendingToken;
}

const complete = (pendingToken: string, code: string, isRecoveryCode = false, at = hub) =>
  at.run(CompleteSignIn, { pendingToken, code, isRecoveryCode });
const factorsOf = (actor = ann) => hub.as(actor, 'users_GetSecondFactors', { userId: actor.userId });
const setPolicy = async (secondFactor: string, days: number) => {
  await hub.as(ann, 'instance_SetInstanceSettingRaw', { key: 'secondFactorGraceDays', value: String(days) });
  await hub.as(ann, 'instance_SetInstanceSettingRaw', { key: 'secondFactor', value: secondFactor });
};

test('an enrolment needs a right first code; until then nothing changes', async () => {
  const { secret, qrSvg, uri } = await hub.as(ann, 'users_BeginAuthenticatorEnrolment', {});
  expect(qrSvg).toMatch(/^<svg [^]*<\/svg>$/);
  expect(uri).toContain(secret);
  expect(await hub.refusal(ann, 'users_ConfirmAuthenticatorEnrolment', { code: '000000' })).toMatchObject({
    kind: 'Invalid',
    message: expect.stringContaining('the clock of your device differs'),
  });
  expect(await factorsOf()).toEqual({
    passkeys: [],
    recoveryCodesLeft: 0,
    isRequired: false,
    confirmsBy: ['password'],
  });
  expect((await signIn(hub, email, validPassword)).result).toBe('Created');
  const { recoveryCodes } = await hub.as(ann, 'users_ConfirmAuthenticatorEnrolment', {
    code: codeOf(secret),
  });
  expect(new Set(recoveryCodes).size).toBe(10);
  expect(await factorsOf()).toMatchObject({ authenticator: { isLocked: false }, recoveryCodesLeft: 10 });
  expect(hub.emittedEvents.at(-2)?.name).toBe('users_SecondFactorAdded');
});

test('signing in takes the password and a code; the session says so, and a code of before the enrolment does not count', async () => {
  const { secret } = await enrol();
  const pending = await begin();
  expect(await complete(pending, codeOf(secret, -30))).toMatchObject({
    result: 'Refused',
    sentence: 'This code was used already. Wait for the next one.',
  });
  expect(await complete(pending, codeOf(secret, 90))).toMatchObject({
    result: 'Refused',
    sentence: expect.stringContaining('clock of your device differs from that of the hub'),
  });
  expect(await complete(pending, codeOf(secret, 30))).toMatchObject({ result: 'Created' });
  expect(await complete(pending, codeOf(secret, 60))).toEqual({ result: 'Ended' });
  const { sessions } = await hub.as(ann, 'users_QueryUserSessions', { userId: ann.userId });
  expect(sessions).toMatchObject([{ methods: ['password', 'totp'] }]);
  expect((await factorsOf()).authenticator?.lastWrongAt).toBeDefined();
  // A code of an older step after a newer one.
  expect(await complete(await begin(), codeOf(secret))).toMatchObject({ result: 'Refused' });
});

test('one code, typed a hundred times at once on two hubs, makes one session', async () => {
  const { secret } = await enrol();
  const shared = { ...hub.database, [Symbol.asyncDispose]: async () => {} };
  await using other = await freshExecutor({ database: shared });
  other.advance(30);
  const pending = await Promise.all(Array.from({ length: 10 }, () => begin()));
  const code = codeOf(secret);
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      complete(pending[index % 10] ?? '', code, false, index % 2 === 0 ? hub : other).catch(() => ({
        result: 'Failed',
      })),
    ),
  );
  expect(answers.filter(({ result }) => result === 'Created')).toHaveLength(1);
  const { sessions } = await hub.as(ann, 'users_QueryUserSessions', { userId: ann.userId });
  expect(sessions).toHaveLength(1);
});

test('ten wrong codes from anywhere lock the factor, not the password; a recovery code unlocks it, once', async () => {
  const { secret, recoveryCodes } = await enrol();
  const [first = '', second = ''] = recoveryCodes;
  const pending = await begin();
  const guesses = await Promise.all(Array.from({ length: 12 }, () => complete(pending, '000000')));
  expect(guesses.filter(({ result }) => result === 'Refused')).toHaveLength(10);
  expect(guesses.filter(({ result }) => result === 'Ended')).toHaveLength(2);
  expect(await complete(await begin(), codeOf(secret))).toMatchObject({
    sentence: expect.stringMatching(/^Ten wrong codes have locked/),
  });
  expect(await factorsOf()).toMatchObject({ authenticator: { isLocked: true } });
  const both = [await begin(), await begin()];
  const used = await Promise.all(both.map((one) => complete(one, first.toLowerCase(), true)));
  expect(used.map(({ result }) => result).sort()).toEqual(['Created', 'Refused']);
  expect(await complete(await begin(), codeOf(secret))).toMatchObject({ result: 'Created' });
  expect(await factorsOf()).toMatchObject({ recoveryCodesLeft: 9 });
  await hub.as(ann, 'users_RenewRecoveryCodes', {});
  expect(await complete(await begin(), second, true)).toMatchObject({ result: 'Refused' });
});

test('before the password is right, a sign-in to an account with a factor runs the same statements', async () => {
  await hub.user('bea@example.com', { password: validPassword });
  await enrol();
  using sent = vi.spyOn(DatabaseClient.prototype, 'query');
  const costOf = async (who: string, ip: string) => {
    sent.mockClear();
    const answer = await trySignIn(hub, who, 'canary wrong password', { ip });
    return { answer, statements: sent.mock.calls.length };
  };
  await costOf('first@example.com', '203.0.113.1');
  const costs = [
    await costOf(email, '203.0.113.2'),
    await costOf('bea@example.com', '203.0.113.3'),
    await costOf('nobody@example.com', '203.0.113.4'),
  ];
  expect(costs[1]).toEqual(costs[0]);
  expect(costs[2]).toEqual(costs[0]);
});

test('a policy asks for enrolment after its days of grace, which begin with the first sign-in; the last factor then stays', async () => {
  await hub.user('bea@example.com', { password: validPassword });
  await setPolicy('administrators', 3);
  expect((await signIn(hub, email, validPassword)).result).toBe('Created');
  expect(await factorsOf()).toMatchObject({ isRequired: true, dueAt: expect.any(String) });
  hub.advance(3 * 86_400);
  const pending = await begin('EnrolmentWanted');
  expect((await trySignIn(hub, 'bea@example.com', validPassword)).result).toBe('Created');
  const begun = await hub.run(BeginSignInEnrolment, { pendingToken: pending });
  expect(await complete(pending, '000000')).toMatchObject({ result: 'Refused' });
  const code = codeOf(begun?.secret ?? '');
  expect(await complete(pending, code)).toMatchObject({ result: 'Created', recoveryCodes: { length: 10 } });
  expect(await hub.refusal(ann, 'users_RemoveSecondFactors', { userId: ann.userId })).toMatchObject({
    message: expect.stringMatching(/^This hub asks you for a second factor/),
  });
  await setPolicy('optional', 3);
  expect((await factorsOf()).authenticator).toBeDefined();
  await hub.as(ann, 'users_RemoveSecondFactors', { userId: ann.userId });
  expect((await signIn(hub, email, validPassword)).result).toBe('Created');
});

test('another administrator removes a lost factor, with an event and an e-mail; others cannot, nor can tokens', async () => {
  await enrol();
  const bea = await hub.user('bea@example.com', { password: validPassword });
  expect((await hub.refusal(bea, 'users_RemoveSecondFactors', { userId: ann.userId })).message).toBe(
    'User not found.',
  );
  expect((await hub.refusal(bea, 'users_GetSecondFactors', { userId: ann.userId })).message).toBe(
    'User not found.',
  );
  const carl = await hub.user('carl@example.com', { isAdmin: true });
  const { tokenId } = await hub.as(carl, 'users_CreateUserToken', {
    userId: carl.userId,
    administrator: true,
  });
  const token: Actor = { actor: 'UserToken', kind: 'UserToken', userId: carl.userId, tokenId };
  expect((await hub.refusal(token, 'users_RemoveSecondFactors', { userId: ann.userId })).kind).toBe(
    'Forbidden',
  );
  const { users } = await hub.as(carl, 'users_QueryUsers', {});
  expect(users.map(({ hasSecondFactor }) => hasSecondFactor)).toEqual([true, undefined, undefined]);
  await hub.as(carl, 'users_RemoveSecondFactors', { userId: ann.userId });
  expect(hub.emittedEvents.at(-2)).toMatchObject({ name: 'users_SecondFactorRemoved', actor: carl });
  const { rows } = await sql`select kind from queued_mails order by created_at`.execute(hub.database.db);
  expect(rows).toEqual([{ kind: 'FactorAdded' }, { kind: 'TokenCreated' }, { kind: 'FactorRemoved' }]);
  expect((await signIn(hub, email, validPassword)).result).toBe('Created');
});

test('a link to set a password does not pass by the second factor, and ends sign-ins that wait', async () => {
  const { secret } = await enrol();
  const pending = await begin();
  const { url } = await hub.as(system, 'users_IssuePasswordLink', { userId: ann.userId });
  const token = new URL(url).searchParams.get('jwt') ?? '';
  await hub.as(system, 'users_SetPasswordByLink', { token, password: 'another harbour lantern 8' });
  expect(await complete(pending, codeOf(secret))).toEqual({ result: 'Ended' });
  expect((await trySignIn(hub, email, 'another harbour lantern 8')).result).toBe('FactorWanted');
});

test('a sign-in that waits ends after ten minutes', async () => {
  const { secret } = await enrol();
  const pending = await begin();
  hub.advance(601);
  expect(await complete(pending, codeOf(secret))).toEqual({ result: 'Ended' });
});

test('days of grace go on when the same policy is saved again, and when everybody is asked instead of administrators', async () => {
  await setPolicy('administrators', 3);
  await signIn(hub, email, validPassword);
  const { dueAt } = await factorsOf();
  for (const policy of ['administrators', 'everyone']) {
    hub.advance(3_600);
    await setPolicy(policy, 3);
    expect([policy, (await factorsOf()).dueAt]).toEqual([policy, dueAt]);
  }
  await setPolicy('optional', 3);
  await setPolicy('administrators', 3);
  expect((await factorsOf()).dueAt).toBeUndefined();
});

test('an enrolment that begins while another is confirmed leaves nothing', async () => {
  for (let round = 0; round < 8; round += 1) {
    const { secret } = await hub.as(ann, 'users_BeginAuthenticatorEnrolment', {});
    const code = codeOf(secret);
    await Promise.allSettled([
      hub.as(ann, 'users_ConfirmAuthenticatorEnrolment', { code }),
      hub.as(ann, 'users_BeginAuthenticatorEnrolment', {}),
    ]);
    const { rows } = await sql<{ halves: number }>`
      select count(*)::integer as halves from totp_enrolments join totp_factors using (user_id)`.execute(
      hub.database.db,
    );
    expect(rows[0]?.halves).toBe(0);
    await hub.as(ann, 'users_RemoveSecondFactors', { userId: ann.userId }).catch(() => undefined);
  }
});

test('an enrolment that nobody confirmed, or whose key is lost, is begun again', async () => {
  const enrolments = async () =>
    (await sql`select 1 from totp_enrolments`.execute(hub.database.db)).rows.length;
  const { secret } = await hub.as(ann, 'users_BeginAuthenticatorEnrolment', {});
  await sql`update totp_enrolments set sealed_under = 'lost'`.execute(hub.database.db);
  const code = codeOf(secret);
  expect(await hub.refusal(ann, 'users_ConfirmAuthenticatorEnrolment', { code })).toEqual({
    kind: 'Invalid',
    message: 'This took more than an hour, or was finished elsewhere. Start again.',
  });
  hub.advance(3_599);
  await hub.run(CleanupExpiredUserSessions);
  expect(await enrolments()).toBe(1);
  hub.advance(1);
  await hub.run(CleanupExpiredUserSessions);
  expect(await enrolments()).toBe(0);
});
