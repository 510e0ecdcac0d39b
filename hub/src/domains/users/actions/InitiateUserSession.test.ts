import { ActionError, type Id, ids } from '@corral/contract';
import { hash, verify } from '@node-rs/argon2';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { freshExecutor, type FreshExecutor, system, userActor } from '../../../../test/fresh-executor.ts';
import { auditedStatuses, auditText, signIn, trySignIn, validPassword } from '../../../../test/test-users.ts';
import { passwordThreads } from '../../../auth/password.ts';
import { DatabaseClient } from '../../../platform/db/connect.ts';
import { AuthenticateWithSessionToken } from '../internal/AuthenticateWithSessionToken.ts';

// The real library, with its calls counted.
vi.mock('@node-rs/argon2', { spy: true });

const email = 'ann@example.com';
const wrong = 'canary wrong password';
let hub: FreshExecutor;
let userId: Id<'user'>;
beforeEach(async () => {
  hub = await freshExecutor();
  ({ userId } = await hub.user(email, { password: validPassword }));
});
afterEach(() => hub[Symbol.asyncDispose]());

async function fail(times: number, who = email, ip = '192.0.2.1'): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    expect(await trySignIn(hub, who, wrong, { ip })).toEqual({ result: 'InvalidCredentials' });
  }
}

/** Signs in with the right password while it must be throttled; returns the Retry-After in seconds. */
async function throttledFor(who = email, ip = '192.0.2.1'): Promise<number> {
  const refusal = await trySignIn(hub, who, validPassword, { ip }).catch((error: unknown) => error);
  if (!(refusal instanceof ActionError)) throw new Error(`not throttled: ${JSON.stringify(refusal)}`);
  expect(refusal.kind).toBe('Throttled');
  expect(refusal.message).toMatch(/^Too many failed sign-ins\. Try again in \d+ (second|minute)s?\.$/);
  return refusal.retryAfterSecs ?? 0;
}

/** Sets every counter that has failures to a number. */
async function setAccountFailures(failures: number): Promise<void> {
  await hub.database.db
    .updateTable('sign_in_failures')
    .set({ failures })
    .where('failures', '>', 0)
    .where('failures', '<', failures)
    .execute();
}

test('a sign-in starts a session, with an event', async () => {
  const started = await signIn(hub, email, validPassword);
  expect(hub.emittedEvents.at(-1)).toMatchObject({
    name: 'users_SessionInitiated',
    data: { userId, sessionId: started.sessionId, methods: ['password'], userAgent: 'Firefox' },
  });
  expect(await auditedStatuses(hub, 'users_InitiateUserSession')).toEqual(['Succeeded']);
  const text = await auditText(hub);
  expect(text).not.toContain(validPassword);
  expect(text).not.toContain(started.sessionToken.slice('u_session_sk_'.length + 22));
});

test('a wrong password and an unknown address get the same answer; the log names existing accounts only', async () => {
  hub.emittedEvents.length = 0;
  const answers = [
    await trySignIn(hub, email, wrong, { ip: '2001:db8:1:2:3::4' }),
    await trySignIn(hub, 'nobody@example.com', wrong, { ip: '203.0.113.9' }),
  ];
  expect(answers).toEqual([{ result: 'InvalidCredentials' }, { result: 'InvalidCredentials' }]);
  const failed = { method: 'password', userAgent: 'Firefox' };
  expect(hub.emittedEvents.map(({ name, data }) => [name, data])).toEqual([
    ['users_SignInFailed', { ...failed, userId, network: '2001:db8:1:2::/64' }],
    ['users_SignInFailed', { ...failed, network: '203.0.113.9' }],
  ]);
  expect(await auditText(hub)).not.toContain(wrong);
});

test('every refusal costs one password check and the same statements', async () => {
  await hub.user('bea@example.com');
  await fail(1, 'first@example.com', '203.0.113.1');
  using sent = vi.spyOn(DatabaseClient.prototype, 'query');
  const costOf = async (who: string, ip: string) => {
    vi.mocked(verify).mockClear();
    sent.mockClear();
    await fail(1, who, ip);
    const statements = sent.mock.calls.map(([statement]) => statement);
    return { checks: vi.mocked(verify).mock.calls.length, statements };
  };
  const known = await costOf(email, '203.0.113.2');
  expect(known.checks).toBe(1);
  expect(known.statements.length).toBeGreaterThan(4);
  expect(await costOf('bea@example.com', '203.0.113.3')).toEqual(known);
  expect(await costOf('nobody@example.com', '203.0.113.4')).toEqual(known);
});

test('the counters contain neither address nor network', async () => {
  await fail(1);
  const rows = JSON.stringify(await hub.database.db.selectFrom('sign_in_failures').selectAll().execute());
  expect(rows).not.toContain('ann');
  expect(rows).not.toContain('192.0.2');
});

test.each([0, 30 * 86_400 + 1])('a session for %i seconds is refused', async (validForSecs) => {
  const input = { email, password: validPassword, userAgent: '', validForSecs };
  expect(await hub.refusal(system, 'users_InitiateUserSession', input)).toEqual({
    kind: 'Invalid',
    message: 'A session must be valid for 1 to 2592000 seconds.',
  });
});

test('a hash with older parameters is replaced at sign-in', async () => {
  const { db } = hub.database;
  const read = () => db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow();
  const old = await hash(validPassword, { memoryCost: 8192, timeCost: 1 });
  await db.updateTable('users').set({ password_hash: old }).execute();
  await signIn(hub, email, validPassword);
  expect((await read()).password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  const renewed = await read();
  await signIn(hub, email, validPassword);
  expect(await read()).toEqual(renewed);
});

describe('throttling', () => {
  test('five failures from one network block it for the account; each further failure doubles the time, up to 15 minutes', async () => {
    await fail(5);
    for (const secs of [30, 60, 120, 240, 480, 900, 900]) {
      expect(await throttledFor()).toBe(secs);
      hub.advance(secs);
      await fail(1);
    }
  });

  test('tries refused while throttled are not counted and do not extend the block', async () => {
    await fail(5);
    for (let time = 0; time < 10; time += 1) await throttledFor();
    hub.advance(30);
    await signIn(hub, email, validPassword);
  });

  test('other networks are not affected, and a success resets the count', async () => {
    await fail(5);
    await signIn(hub, email, validPassword, { ip: '198.51.100.7' });
    hub.advance(30);
    await signIn(hub, email, validPassword);
    await fail(4);
    await signIn(hub, email, validPassword);
  });

  test('an address without an account is throttled in the same way', async () => {
    await fail(5, 'nobody@example.com');
    expect(await throttledFor('nobody@example.com')).toBe(30);
  });

  test('a checked attempt has a row of its own; of throttled ones the first of a network in a minute has one, and the others are counted', async () => {
    const statuses = () => auditedStatuses(hub, 'users_InitiateUserSession');
    // The reports of two networks are written at the same time, in any order.
    const reports = async () => {
      const rows = await hub.database.db
        .selectFrom('audit_actions')
        .select('data')
        .where('action', '=', 'cluster_ReportAnonymousRefusals')
        .orderBy(sql`data->>'remoteAddress'`)
        .execute();
      return rows.map(({ data }) => data);
    };
    const checked = Array<string>(5).fill('Succeeded');
    await fail(5);
    for (let time = 0; time < 20; time += 1) await throttledFor();
    await fail(5, email, '198.51.100.7');
    for (let time = 0; time < 2; time += 1) await throttledFor(email, '198.51.100.7');
    expect(await statuses()).toEqual([...checked, 'Rejected', ...checked, 'Rejected']);
    expect(await reports()).toEqual([]);
    hub.advance(60);
    await fail(1);
    await throttledFor();
    expect((await statuses()).slice(-2)).toEqual(['Succeeded', 'Rejected']);
    await vi.waitFor(async () =>
      expect(await reports()).toEqual([
        { remoteAddress: '192.0.2.1', attempts: 19 },
        { remoteAddress: '198.51.100.7', attempts: 1 },
      ]),
    );
  });

  test('only a sign-in by the hub is recorded so: a signed-in user who calls the action has a row for each refusal', async () => {
    const input = { email, password: validPassword, userAgent: '' };
    const call = () => hub.refusal(userActor(userId), 'users_InitiateUserSession', input);
    for (let time = 0; time < 3; time += 1) expect((await call()).kind).toBe('Forbidden');
    expect(await auditedStatuses(hub, 'users_InitiateUserSession')).toEqual(['Failed', 'Failed', 'Failed']);
  });

  test('concurrent guesses are limited like sequential ones', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => trySignIn(hub, email, wrong)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    expect(await throttledFor()).toBe(30);
  });

  test('the /64 of an IPv6 address is one network', async () => {
    await fail(5, email, '2001:db8:1:2::1');
    expect(await throttledFor(email, '2001:db8:1:2:ffff::9')).toBe(30);
    await signIn(hub, email, validPassword, { ip: '2001:db8:1:3::1' });
  });

  test('a hundred failures put an account into the slow lane, except for known networks', async () => {
    await signIn(hub, email, validPassword, { ip: '198.51.100.7' });
    await fail(1, email, '203.0.113.1');
    await setAccountFailures(99);
    hub.advance(61);
    await fail(1, email, '203.0.113.2');
    expect(await throttledFor(email, '203.0.113.3')).toBe(30);
    await fail(1, email, '198.51.100.7');
    await signIn(hub, email, validPassword, { ip: '198.51.100.7' });
    await signIn(hub, email, validPassword, { ip: '203.0.113.3' });
  });

  test('the slow lane lets one try through every 30 seconds', async () => {
    await fail(1, email, '203.0.113.1');
    await setAccountFailures(150);
    hub.advance(61);
    await fail(1, email, '203.0.113.2');
    expect(await throttledFor(email, '203.0.113.3')).toBe(30);
    hub.advance(30);
    await signIn(hub, email, validPassword, { ip: '203.0.113.3' });
  });
});

describe('sign-ins with the right password', () => {
  const fromElsewhere = { ip: '198.51.100.7' };

  /** The function of the library, without its calls counted. */
  async function realVerify(): Promise<typeof verify> {
    return (await vi.importActual<{ verify: typeof verify }>('@node-rs/argon2')).verify;
  }

  /** Runs the sign-ins, and returns how many passwords were checked at the same time at most. */
  async function mostChecksDuring(signingIn: () => Promise<unknown>): Promise<number> {
    const check = await realVerify();
    let [running, most] = [0, 0];
    vi.mocked(verify).mockImplementation(async (...args) => {
      running += 1;
      most = Math.max(most, running);
      const isMatch = await check(...args);
      running -= 1;
      return isMatch;
    });
    await signingIn().finally(() => vi.mocked(verify).mockReset());
    return most;
  }

  /** Signs in as often as an account may within an hour. */
  async function signInAsOftenAsAllowed(): Promise<void> {
    await signIn(hub, email, validPassword);
    await sql`update request_counts set requests = requests + 58`.execute(hub.database.db);
    await signIn(hub, email, validPassword);
  }

  const tooOften = {
    kind: 'Throttled',
    message: expect.stringMatching(
      /^This account was signed in to too often\. Try again in \d+ (minutes?|hour)\.$/,
    ),
    retryAfterSecs: 3600,
  };

  test('of one account are checked one at a time, from wherever they come', async () => {
    const all = () =>
      Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          signIn(hub, email, validPassword, { ip: `192.0.2.${index}` }),
        ),
      );
    expect(await mostChecksDuring(all)).toBe(1);
  });

  test('of one network leave a thread to others, and wait', async () => {
    const people = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        await hub.user(`person${index}@example.com`, { password: validPassword });
        return `person${index}@example.com`;
      }),
    );
    const all = () => Promise.all(people.map((person) => signIn(hub, person, validPassword)));
    expect(await mostChecksDuring(all)).toBe(Math.max(1, passwordThreads - 1));
  });

  test('of one account in any number keep nobody else waiting', async () => {
    await hub.user('bea@example.com', { password: validPassword });
    const flood = Promise.allSettled(Array.from({ length: 200 }, () => trySignIn(hub, email, validPassword)));
    const others = Array.from({ length: 5 }, () =>
      signIn(hub, 'bea@example.com', validPassword, fromElsewhere),
    );
    expect(await Promise.all(others)).toHaveLength(5);
    const refusals = (await flood).flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refusals.length).toBeGreaterThan(100);
    for (const refusal of refusals) expect(refusal).toMatchObject({ kind: 'Throttled' });
  });

  test('are limited to 60 an hour; then the password is not even checked, and other accounts may sign in', async () => {
    await hub.user('bea@example.com', { password: validPassword });
    await signInAsOftenAsAllowed();
    vi.mocked(verify).mockClear();
    for (const password of [validPassword, wrong])
      await expect(trySignIn(hub, email, password)).rejects.toMatchObject(tooOften);
    expect(verify).not.toHaveBeenCalled();
    await signIn(hub, 'bea@example.com', validPassword);
    hub.advance(3600);
    await signIn(hub, email, validPassword);
  });

  test('are limited from all networks together, and who does not know the password does not learn of it', async () => {
    await signInAsOftenAsAllowed();
    expect(await trySignIn(hub, email, wrong, fromElsewhere)).toEqual({ result: 'InvalidCredentials' });
    vi.mocked(verify).mockClear();
    for (let time = 0; time < 70; time += 1)
      await expect(trySignIn(hub, email, validPassword, fromElsewhere)).rejects.toMatchObject(tooOften);
    // As many as a network may; the others are refused without a check.
    expect(verify).toHaveBeenCalledTimes(60);
    const { rows } = await sql`select 1 from user_sessions`.execute(hub.database.db);
    expect(rows).toHaveLength(2);
  });

  test('do not tell who guesses that a guess was right while guesses are throttled', async () => {
    await signInAsOftenAsAllowed();
    await fail(1, email, fromElsewhere.ip);
    const check = await realVerify();
    vi.mocked(verify).mockImplementationOnce(async (...args) => {
      const until = new Date(hub.now().getTime() + 30_000);
      await hub.database.db.updateTable('sign_in_failures').set({ blocked_until: until }).execute();
      return check(...args);
    });
    expect(await throttledFor(email, fromElsewhere.ip)).toBe(30);
  });

  test('end the session that was used longest ago where the account has a hundred', async () => {
    const first = await signIn(hub, email, validPassword);
    hub.advance(60);
    const second = await signIn(hub, email, validPassword);
    await addSessions(98, second.sessionId);
    hub.advance(360);
    await hub.run(AuthenticateWithSessionToken, { token: first.sessionToken });
    hub.emittedEvents.length = 0;
    const third = await signIn(hub, email, validPassword);
    expect(hub.emittedEvents.map(({ name, data }) => [name, data])).toMatchObject([
      ['users_SessionInitiated', { userId, sessionId: third.sessionId }],
      ['users_SessionTerminated', { userId, sessionId: second.sessionId }],
    ]);
    const sessionOf = (token: Id<'sessionToken'>) => hub.run(AuthenticateWithSessionToken, { token });
    expect(await sessionOf(second.sessionToken)).toEqual({ result: 'Invalid' });
    expect(await sessionOf(first.sessionToken)).toMatchObject({ result: 'Authenticated' });
    expect(await sessionOf(third.sessionToken)).toMatchObject({ result: 'Authenticated' });
    const { rows } = await sql`select 1 from user_sessions`.execute(hub.database.db);
    expect(rows).toHaveLength(100);
  });

  /** Adds sessions like one of the user that were used after it. */
  async function addSessions(count: number, sessionId: Id<'session'>): Promise<void> {
    await sql`
      insert into user_sessions (session_id, secret_hash, user_id, user_agent, created_at, last_used_at, idle_timeout_secs, expires_at)
      select 'session ' || number, secret_hash, user_id, '', created_at, last_used_at + number * interval '1 second',
        idle_timeout_secs, expires_at
      from user_sessions, generate_series(1, ${count}::integer) as number
      where session_id = ${ids.session.raw(sessionId)}`.execute(hub.database.db);
  }
});

test('a sign-in with the old password starts no session while the password is being changed', async () => {
  const { db } = hub.database;
  const isSignInWaiting = async () => {
    const { rows } = await sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%insert into user_sessions%'`.execute(
      db,
    );
    return rows.length > 0;
  };
  const signingIn = await db.transaction().execute(async (change) => {
    await change.updateTable('users').set({ password_hash: 'changed' }).execute();
    const answer = trySignIn(hub, email, validPassword);
    await vi.waitUntil(isSignInWaiting);
    return { answer };
  });
  expect(await signingIn.answer).toEqual({ result: 'InvalidCredentials' });
  expect(await db.selectFrom('user_sessions').selectAll().execute()).toEqual([]);
});
