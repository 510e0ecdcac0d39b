import type { CallInput } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anonymous, freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { byToken, seedProject, type Somebody } from '../../../../test/seed.ts';
import { auditText, signIn, validPassword } from '../../../../test/test-users.ts';

let hub: FreshExecutor;
let ann: Somebody;
let networks = 0;

beforeAll(async () => {
  hub = await freshExecutor();
  ann = await hub.user('ann@example.org');
});
afterAll(() => hub[Symbol.asyncDispose]());

const network = () => ({ ip: `198.51.100.${(networks += 1)}` });
const request = (input: Partial<CallInput<'users_RequestLogin'>> = {}, from = network()) =>
  hub.as(anonymous, 'users_RequestLogin', { name: 'corral on laptop', ...input }, from);
const decide = (userCode: string, isApproved = true, by = ann) =>
  hub.as(by, 'users_DecideLogin', { userCode, isApproved }, network());
async function redeem(secret: string) {
  hub.advance(1);
  return hub.as(anonymous, 'users_RedeemLogin', { secret });
}

test('a command line gets a token once its user has approved its code', async () => {
  const asked = await request({}, { ip: '203.0.113.9' });
  expect(asked).toMatchObject({ url: 'http://localhost:8080/login/device', intervalSecs: 2 });
  expect(asked.userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  expect(await redeem(asked.secret)).toEqual({ result: 'Pending' });
  const typed = asked.userCode.toLowerCase().replace('-', ' ');
  expect(await hub.as(ann, 'users_FindLogin', { userCode: typed }, network())).toMatchObject({
    result: 'Found',
    userCode: asked.userCode,
    name: 'corral on laptop',
    address: '203.0.113.9',
    access: 'full',
    administrator: false,
    validForDays: 90,
  });
  await decide(typed);
  const approved = await redeem(asked.secret);
  if (approved.result !== 'Approved') throw new Error(approved.result);
  const { tokens } = await hub.as(ann, 'users_QueryUserTokens', { userId: ann.userId });
  expect(tokens[0]).toMatchObject({ tokenId: approved.tokenId, name: 'corral on laptop', access: 'full' });
  expect(approved.userId).toBe(ann.userId);
  expect(await redeem(asked.secret)).toEqual({ result: 'Expired' });
  const record = await auditText(hub);
  for (const secret of [asked.secret, approved.token.slice(28), asked.userCode])
    expect(record).not.toContain(secret);
});

test('the token has the bounds that were asked for', async () => {
  const { projectId, owner } = await seedProject(hub);
  const asked = await request({ access: 'read', projects: [projectId], validForDays: 1 });
  await decide(asked.userCode, true, owner);
  const approved = await redeem(asked.secret);
  expect(approved.result).toBe('Approved');
  const { tokens } = await hub.as(owner, 'users_QueryUserTokens', { userId: owner.userId });
  expect(tokens[0]).toMatchObject({ access: 'read', projects: [projectId] });
  expect(Date.parse(tokens[0]?.expiresAt ?? '')).toBe(hub.now().getTime() + 86_400_000);
});

test('a token wider than its user cannot be approved', async () => {
  const { projectId } = await seedProject(hub);
  const refused = async (input: Partial<CallInput<'users_RequestLogin'>>) => {
    const { userCode } = await request(input);
    return (await hub.refusal(ann, 'users_DecideLogin', { userCode, isApproved: true }, network())).message;
  };
  expect(await refused({ projects: [projectId] })).toBe('Project not found.');
  expect(await refused({ administrator: true })).toBe(
    'Only administrators may make a token with the rights of an administrator.',
  );
  expect((await hub.refusal(anonymous, 'users_RequestLogin', { name: 'x', validForDays: 400 })).message).toBe(
    'A token may be good for 1 to 366 days.',
  );
});

test('a request that is denied, expired or unknown yields no token', async () => {
  const denied = await request();
  await decide(denied.userCode, false);
  expect(await redeem(denied.secret)).toEqual({ result: 'Denied' });
  const late = await request();
  hub.advance(600);
  expect(await redeem(late.secret)).toEqual({ result: 'Expired' });
  expect(await hub.as(ann, 'users_FindLogin', { userCode: late.userCode }, network())).toEqual({
    result: 'NotFound',
  });
  expect(await redeem(denied.secret.replace(/.$/, 'Q'))).toEqual({ result: 'Expired' });
});

const password = 'seven blue kettles sing';
const revocations: readonly [string, (user: Somebody, sessionId: string) => Promise<unknown>][] = [
  [
    'the user sets a new password in the same session',
    (user, sessionId) =>
      hub.as(user, 'users_SetUserPassword', { userId: user.userId, password }, { sessionId }),
  ],
  [
    'the password is reset by the command line of the hub',
    ({ userId }) => hub.as(system, 'users_SetUserPassword', { userId, password }),
  ],
  [
    'the session of the approval is ended',
    (user, sessionId) =>
      hub.as(user, 'users_TerminateUserSession', { sessionId: `u_session_pk_${sessionId}` }),
  ],
  [
    'the user has been disabled, even if enabled again',
    async ({ userId }) => {
      await hub.as(system, 'users_SetUserIsDisabled', { userId, isDisabled: true });
      await hub.as(system, 'users_SetUserIsDisabled', { userId, isDisabled: false });
    },
  ],
];
test.each(revocations)('an approval yields no token once %s', async (name, revoke) => {
  const email = `${name.length}@example.org`;
  const user = await hub.user(email, { password: validPassword });
  const { sessionId } = await signIn(hub, email, validPassword);
  const rawSessionId = sessionId.slice('u_session_pk_'.length);
  const asked = await request();
  const input = { userCode: asked.userCode, isApproved: true };
  await hub.as(user, 'users_DecideLogin', input, { ...network(), sessionId: rawSessionId });
  const byOther = await request();
  await decide(byOther.userCode);
  await revoke(user, rawSessionId);
  expect(await redeem(asked.secret)).toEqual({ result: 'Expired' });
  expect((await hub.as(user, 'users_QueryUserTokens', { userId: user.userId })).tokens).toEqual([]);
  expect((await redeem(byOther.secret)).result).toBe('Approved');
});

test('an approval counts for nothing if its session has just ended', async () => {
  const eve = await hub.user('eve@example.org', { password: validPassword });
  const { sessionId } = await signIn(hub, 'eve@example.org', validPassword);
  await hub.as(system, 'users_TerminateUserSession', { sessionId });
  const { userCode, secret } = await request();
  const origin = { ...network(), sessionId: sessionId.slice('u_session_pk_'.length) };
  expect((await hub.refusal(eve, 'users_DecideLogin', { userCode, isApproved: true }, origin)).kind).toBe(
    'Invalid',
  );
  expect(await redeem(secret)).toEqual({ result: 'Pending' });
});

test('a disabled user gets no token, even if disabled while it is made', async () => {
  const { userId } = await hub.user('fay@example.org');
  const outcomes = await Promise.all([
    hub.as(system, 'users_SetUserIsDisabled', { userId, isDisabled: true }),
    ...Array.from({ length: 4 }, () => hub.as(system, 'users_CreateUserToken', { userId }).catch(() => {})),
  ]);
  const made = outcomes.filter((outcome) => outcome !== undefined && 'token' in outcome).length;
  expect((await hub.refusal(system, 'users_CreateUserToken', { userId })).message).toBe(
    'A disabled user gets no new tokens.',
  );
  expect((await hub.as(system, 'users_QueryUserTokens', { userId })).tokens).toHaveLength(made);
});

test('only a session approves, and only callers without credentials ask', async () => {
  const token = await byToken(hub, ann);
  const { userCode } = await request();
  const input = { userCode, isApproved: true };
  expect((await hub.refusal(token, 'users_DecideLogin', input)).kind).toBe('Forbidden');
  expect((await hub.refusal(anonymous, 'users_DecideLogin', input)).kind).toBe('NotSignedIn');
  expect((await hub.refusal(token, 'users_RequestLogin', { name: 'x' })).kind).toBe('Forbidden');
});

test('five wrong codes are allowed to a user, and hold up nobody else on the same network', async () => {
  const { userCode } = await request();
  const guess = (by: Somebody, from: { ip: string }) =>
    hub.as(by, 'users_FindLogin', { userCode: 'BBBB-BBBB' }, from);
  const [bea, cas] = [await hub.user('bea@example.org'), await hub.user('cas@example.org')];
  const from = network();
  for (let tries = 0; tries < 5; tries += 1) expect(await guess(bea, from)).toEqual({ result: 'NotFound' });
  for (const where of [network(), from]) {
    expect((await hub.refusal(bea, 'users_FindLogin', { userCode }, where)).kind).toBe('Throttled');
    expect((await hub.refusal(bea, 'users_DecideLogin', { userCode, isApproved: true }, where)).kind).toBe(
      'Throttled',
    );
  }
  expect(await hub.as(cas, 'users_FindLogin', { userCode }, from)).toMatchObject({ result: 'Found' });
  await hub.as(cas, 'users_DecideLogin', { userCode, isApproved: false }, from);
  hub.advance(600);
  expect(await guess(bea, from)).toEqual({ result: 'NotFound' });
});

test('a wrong code of a decision counts as well', async () => {
  const dan = await hub.user('dan@example.org');
  const input = { userCode: 'BBBB-BBBB', isApproved: true };
  const refusals: string[] = [];
  for (let tries = 0; tries < 6; tries += 1)
    refusals.push((await hub.refusal(dan, 'users_DecideLogin', input, network())).kind);
  expect(refusals).toEqual([...Array.from({ length: 5 }, () => 'Invalid'), 'Throttled']);
});

test('at most ten wait for one network, and polling is limited', async () => {
  const from = network();
  const first = await request({}, from);
  for (let count = 1; count < 10; count += 1) await request({}, from);
  expect(await hub.refusal(anonymous, 'users_RequestLogin', { name: 'x' }, from)).toMatchObject({
    kind: 'Throttled',
    message: 'Too many sign-ins wait to be confirmed. Please try again later.',
  });
  await request();
  expect(await redeem(first.secret)).toEqual({ result: 'Pending' });
  expect((await hub.refusal(anonymous, 'users_RedeemLogin', { secret: first.secret })).kind).toBe(
    'Throttled',
  );
});

test.each(['full', 'read'] as const)(
  'a token with %s access deletes itself, and no other',
  async (access) => {
    const token = await byToken(hub, ann, { access, projects: [] });
    const other = await byToken(hub, ann);
    expect((await hub.refusal(token, 'users_DeleteUserToken', { tokenId: other.tokenId })).kind).toBe(
      'Forbidden',
    );
    expect(await hub.as(token, 'users_DeleteUserToken', { tokenId: token.tokenId as never })).toEqual({});
    expect((await hub.refusal(token, 'actor_GetActor', {})).kind).toBe('NotSignedIn');
  },
);
