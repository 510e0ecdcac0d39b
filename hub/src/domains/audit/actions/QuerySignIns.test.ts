import { CompiledQuery, sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { authenticatorCode } from '../../../../test/authenticator-code.ts';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { createUserToken, signIn, trySignIn, validPassword } from '../../../../test/test-users.ts';
import { DatabaseClient } from '../../../platform/db/connect.ts';
import { CompleteSignIn } from '../../users/internal/CompleteSignIn.ts';
import { StepUp } from '../../users/internal/StepUp.ts';

const email = 'ann@example.com';
let hub: FreshExecutor;
let ann: Awaited<ReturnType<FreshExecutor['user']>>;
beforeEach(async () => {
  hub = await freshExecutor();
  ann = await hub.user(email, { password: validPassword });
});
afterEach(() => hub[Symbol.asyncDispose]());

const historyOf = async (origin = {}) =>
  (await hub.as(ann, 'users_QuerySignIns', { userId: ann.userId }, origin)).signIns;

test('sign-ins that succeeded and failed are listed newest first, with how, from where and in which browser; the current one is marked', async () => {
  await trySignIn(hub, email, 'a wrong harbour 8', { ip: '2001:db8:1:2:3::4', userAgent: 'Old' });
  hub.advance(1);
  const { sessionId } = await signIn(hub, email, validPassword, { ip: '203.0.113.7' });
  hub.advance(1);
  const typed = { userId: ann.userId, sessionId, method: 'password', typed: 'not this one 9' } as const;
  await hub.run(StepUp, typed);
  const origin = { sessionId: sessionId.slice('u_session_pk_'.length) };
  expect(await historyOf(origin)).toEqual([
    expect.objectContaining({ hasSucceeded: false, methods: ['password'], sessionId, isCurrent: false }),
    expect.objectContaining({
      hasSucceeded: true,
      methods: ['password'],
      address: '203.0.113.7',
      userAgent: 'Firefox',
      sessionId,
      isCurrent: true,
    }),
    expect.objectContaining({
      hasSucceeded: false,
      methods: ['password'],
      address: '2001:db8:1:2::/64',
      userAgent: 'Old',
      isCurrent: false,
    }),
  ]);
});

test('a wrong code after the right password is among them, and what then signs in has both methods', async () => {
  const { secret } = await hub.as(ann, 'users_BeginAuthenticatorEnrolment', {});
  const code = () => authenticatorCode(secret, hub.now());
  await hub.as(ann, 'users_ConfirmAuthenticatorEnrolment', { code: code() });
  hub.advance(30);
  const answer = await trySignIn(hub, email, validPassword);
  if (answer.result !== 'FactorWanted') throw new Error(answer.result);
  const { pendingToken } = answer;
  await hub.run(CompleteSignIn, { pendingToken, code: 'none', isRecoveryCode: true });
  hub.advance(1);
  await hub.run(CompleteSignIn, { pendingToken, code: code(), isRecoveryCode: false });
  expect(await historyOf()).toMatchObject([
    { hasSucceeded: true, methods: ['password', 'totp'], userAgent: 'Firefox' },
    { hasSucceeded: false, methods: ['recoveryCode'], userAgent: 'Firefox' },
  ]);
});

test('after 30 days one is no longer listed', async () => {
  await signIn(hub, email, validPassword);
  hub.advance(30 * 24 * 3600 - 1);
  expect(await historyOf()).toHaveLength(1);
  hub.advance(2);
  expect(await historyOf()).toEqual([]);
});

test('an administrator sees those of a user; other users and tokens do not', async () => {
  await signIn(hub, email, validPassword);
  const input = { userId: ann.userId };
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  expect((await hub.as(admin, 'users_QuerySignIns', input)).signIns).toHaveLength(1);
  const bea = await hub.user('bea@example.com');
  expect(await hub.refusal(bea, 'users_QuerySignIns', input)).toMatchObject({ kind: 'Invalid' });
  const token = await createUserToken(hub, ann);
  expect(await hub.refusal(token, 'users_QuerySignIns', input)).toMatchObject({ kind: 'Forbidden' });
});

test('beside 100,000 sign-ins of others, those of a user are read by their index', async () => {
  await signIn(hub, email, validPassword);
  const { db } = hub.database;
  await sql`with entry as (
      insert into audit_events (event_id, actor, event, data, created_at)
      select 'other-' || n, '{"actor":"System","kind":"System"}', 'users_SignInFailed', '{}', ${hub.now()}::timestamptz - n * interval '10 seconds'
      from generate_series(1, 100000) n returning event_id, created_at)
    insert into audit_event_entities (entity_kind, entity_id, created_at, event_id)
    select 'user', 'other-' || (row_number() over ()) % 50, created_at, event_id from entry`.execute(db);
  await sql`analyze audit_events, audit_event_entities`.execute(db);
  using sent = vi.spyOn(DatabaseClient.prototype, 'query');
  expect(await historyOf()).toHaveLength(1);
  const [text = '', values = []] =
    (sent.mock.calls as unknown[] as [string, unknown[]][]).find(([one]) => one.includes('as sign_ins')) ??
    [];
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(
    CompiledQuery.raw(`explain ${text}`, values),
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('using audit_event_entities_pkey');
  expect(plan).toContain('using audit_events_pkey');
  expect(plan).not.toContain('Seq Scan');
});
