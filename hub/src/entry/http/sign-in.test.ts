import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpHub, staleCookie, system, type HttpHub } from '../../../test/http-hub.ts';

const email = 'ada@example.org';
const password = 'correct horse battery';

describe('signing in and out', () => {
  let hub: HttpHub;
  beforeAll(async () => {
    hub = await httpHub();
    await hub.user(email, { password });
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const login = (body: unknown, headers?: Record<string, string>) =>
    hub.post('/api/private/login', body, headers);
  const actorOf = async (cookie: string) =>
    (await hub.invoke('actor_GetActor', {}, { cookie })).json['actor'];

  test('"POST private/login: body email, password, remember": gives a cookie that only this host gets back, over HTTPS or on loopback, until the browser ends', async () => {
    const answer = await login({ email, password, remember: false });
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-session=u_session_sk_\w{66}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    expect(answer.text).toBe('{}');
  });

  test('is refused to a disabled account as for a wrong password, and its session and token are over at once', async () => {
    const { userId } = await hub.user('disabled@example.org', { password });
    const who = { email: 'disabled@example.org', password };
    const cookie = await hub.signIn(who.email, password);
    const { token } = (await hub.invoke('users_CreateUserToken', { userId }, { cookie })).json;
    const byToken = () =>
      hub.call('/api/v1/actions/invoke/actor_GetActor', {
        method: 'POST',
        headers: { authorization: `Bearer ${String(token)}` },
        body: {},
      });
    expect((await byToken()).json['actor']).toMatchObject({ kind: 'UserToken', userId });
    const setDisabled = (isDisabled: boolean) =>
      hub.executor.invoke(system, 'users_SetUserIsDisabled', { userId, isDisabled });
    await setDisabled(true);
    await expect.poll(() => actorOf(cookie)).toMatchObject({ kind: 'Anonymous' });
    await expect.poll(async () => (await byToken()).status).toBe(401);
    const [disabled, wrong] = [await login(who), await login({ ...who, password: 'wrong password' })];
    expect([disabled.status, disabled.text]).toEqual([wrong.status, wrong.text]);
    await setDisabled(false);
    expect((await login(who)).status).toBe(200);
    expect((await byToken()).json['actor']).toMatchObject({ kind: 'UserToken', userId });
    expect(await actorOf(cookie)).toMatchObject({ kind: 'Anonymous' });
  });

  test('remembers for thirty days where asked', async () => {
    const answer = await login({ email: ` ${email.toUpperCase()} `, password, remember: true });
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test('gives the same answer for a wrong password and an unknown user', async () => {
    const wrong = await login({ email, password: 'wrong password' });
    const unknown = await login({ email: 'nobody@example.org', password: 'wrong password' });
    expect([wrong.status, wrong.json]).toEqual([
      401,
      { kind: 'Forbidden', message: 'Invalid username or password!' },
    ]);
    const { date: _a, 'x-request-id': one, ...headers } = wrong.headers;
    const { date: _b, 'x-request-id': other, ...sameHeaders } = unknown.headers;
    expect([unknown.status, unknown.text, sameHeaders]).toEqual([wrong.status, wrong.text, headers]);
    expect(one?.length).toBe(other?.length);
    expect(wrong.headers['set-cookie']).toBeUndefined();
  });

  test.each([
    [{ email: '  ', password }, 'Please enter your email address.'],
    [{ password }, 'Please enter your email address.'],
    [null, 'Please enter your email address.'],
    [{ email, password: '   ' }, 'Please enter your password.'],
    [{ email, password: 7 }, 'Please enter your password.'],
    [{ email, password, remember: 'yes' }, 'The field remember must be true or false.'],
  ])('refuses the form %j', async (form, message) => {
    const answer = await login(form);
    expect([answer.status, answer.json]).toEqual([400, { kind: 'Invalid', message }]);
  });

  test('throttles password guesses with Retry-After', async () => {
    await hub.user('guessed@example.org', { password });
    const guess = () => login({ email: 'guessed@example.org', password: 'wrong password' });
    let answer = await guess();
    for (let attempt = 0; attempt < 10 && answer.status === 401; attempt += 1) answer = await guess();
    expect(answer.status).toBe(429);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    const right = await login({ email: 'guessed@example.org', password });
    expect(right.status).toBe(429);
    hub.advance(16 * 60);
    expect((await login({ email: 'guessed@example.org', password })).status).toBe(200);
  });

  test('ends the session that the browser held before', async () => {
    const before = await hub.signIn(email, password);
    expect((await login({ email, password }, { cookie: before })).status).toBe(200);
    await expect.poll(() => actorOf(before)).toMatchObject({ actor: 'Anonymous' });
  });

  test('signs out: ends the session and removes the cookie', async () => {
    const cookie = await hub.signIn(email, password);
    expect(await actorOf(cookie)).toMatchObject({ actor: 'User' });
    const answer = await hub.post('/api/private/logout', {}, { cookie });
    expect(answer.status).toBe(200);
    expect(answer.headers['set-cookie']).toEqual([
      '__Host-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
      '__Host-sign-in=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
      'provider-session=; Max-Age=0; Path=/api/private/logout; HttpOnly; Secure; SameSite=Lax',
    ]);
    await expect.poll(() => actorOf(cookie)).toMatchObject({ actor: 'Anonymous' });
  });

  test.each([staleCookie, '__Host-session=nonsense', ''])(
    'clears the cookie "%.20s" of a session that is gone',
    async (cookie) => {
      const answer = await hub.post('/api/private/logout', {}, { cookie });
      expect(answer.status).toBe(200);
      expect(answer.headers['set-cookie']?.[0]).toMatch(/Max-Age=0/);
    },
  );

  test('ends a session after a day', async () => {
    const cookie = await hub.signIn(email, password);
    hub.advance(24 * 3600 + 60);
    expect(await actorOf(cookie)).toMatchObject({ actor: 'Anonymous' });
  });

  test('refuses a session that was ended elsewhere', async () => {
    const [mine, other] = [await hub.signIn(email, password), await hub.signIn(email, password)];
    const { userId } = (await actorOf(mine)) as { userId: string };
    const { json } = await hub.invoke('users_QueryUserSessions', { userId }, { cookie: other });
    const { sessions } = json as { sessions: { sessionId: string; isCurrent?: boolean }[] };
    const current = sessions.find(({ isCurrent }) => isCurrent === true);
    await hub.invoke('users_TerminateUserSession', { sessionId: current?.sessionId }, { cookie: mine });
    await expect.poll(() => actorOf(other)).toMatchObject({ actor: 'Anonymous' });
    expect(await actorOf(mine)).toMatchObject({ actor: 'User' });
  });

  test('ends the session that was used longest ago, at once, where the account has a hundred', async () => {
    const oldest = await hub.signIn(email, password);
    await hub.invoke('actor_GetActor', {}, { cookie: oldest });
    await sql`
      insert into user_sessions (session_id, secret_hash, user_id, user_agent, created_at, last_used_at, idle_timeout_secs, expires_at)
      select 'session ' || number, secret_hash, user_id, '', created_at, last_used_at + interval '1 second',
        idle_timeout_secs, expires_at
      from (select * from user_sessions order by created_at desc limit 1) as s, generate_series(1, 99) as number`.execute(
      hub.database.db,
    );
    const newest = await hub.signIn(email, password);
    await expect.poll(() => actorOf(oldest)).toMatchObject({ actor: 'Anonymous' });
    expect(await actorOf(newest)).toMatchObject({ actor: 'User' });
    await hub.database.db.deleteFrom('user_sessions').where('session_id', 'like', 'session %').execute();
  });

  test('writes no secret to the log', async () => {
    const cookie = await hub.signIn(email, password);
    await hub.post('/api/private/logout', {}, { cookie });
    expect(hub.logged()).not.toContain(password);
    expect(hub.logged()).not.toContain('u_session_sk_');
  });
});

describe('writes with a cookie come from the own pages alone', () => {
  let hub: HttpHub;
  let cookie: string;
  beforeAll(async () => {
    hub = await httpHub();
    await hub.user(email, { password });
    cookie = await hub.signIn(email, password);
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const own = () => hub.url;
  const cases: [string, () => Record<string, string>, number][] = [
    ['same-origin', () => ({ 'sec-fetch-site': 'same-origin' }), 200],
    [
      'same-origin of another address of the hub',
      () => ({ 'sec-fetch-site': 'same-origin', origin: 'http://localhost' }),
      200,
    ],
    ['own Origin alone', () => ({ origin: own() }), 200],
    ['same-site', () => ({ 'sec-fetch-site': 'same-site', origin: own() }), 403],
    ['cross-site', () => ({ 'sec-fetch-site': 'cross-site', origin: own() }), 403],
    ['none', () => ({ 'sec-fetch-site': 'none' }), 403],
    ['two values', () => ({ 'sec-fetch-site': 'same-origin, same-origin' }), 403],
    ['another Origin', () => ({ origin: 'https://evil.example' }), 403],
    ['Origin null', () => ({ origin: 'null' }), 403],
    ['own Origin with a tail', () => ({ origin: `${own()}.evil.example` }), 403],
    ['neither header', () => ({}), 403],
  ];
  const paths: [string, unknown][] = [
    ['/api/v1/actions/invoke/actor_GetActor', {}],
    ['/api/private/login', { email: 'x@example.org', password: 'y' }],
    ['/api/private/logout', {}],
  ];
  for (const [path, body] of paths) {
    test.each(cases)(`${path}: %s`, async (_name, headers, status) => {
      const stale = path.endsWith('logout') ? staleCookie : cookie;
      const answer = await hub.call(path, { method: 'POST', body, headers: { cookie: stale, ...headers() } });
      expect(answer.status).toBe(path.endsWith('login') && status === 200 ? 401 : status);
      if (status === 403)
        expect(answer.json).toEqual({
          kind: 'Forbidden',
          message: expect.stringMatching(/^This request .+\.$/),
        });
    });
  }

  test('a JSON body is asked for at sign-out too', async () => {
    const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'text/plain' };
    expect((await hub.call('/api/private/logout', { method: 'POST', body: '{}', headers })).status).toBe(400);
  });

  test('an anonymous caller without a cookie needs no Origin', async () => {
    const answer = await hub.call('/api/v1/actions/invoke/actor_GetActor', { method: 'POST', body: {} });
    expect(answer.status).toBe(200);
  });
});

describe('plain HTTP where other machines can see it', () => {
  const signInAt = async (env: Record<string, string>, host: string, origin: string) => {
    const open = { CORRAL_ALLOW_INSECURE_HTTP: 'true', CORRAL_DEVICE_CERTIFICATE_HEADER: 'off' };
    await using hub = await httpHub({ env: { ...open, ...env } });
    await hub.user(email, { password });
    const headers = { host, origin };
    const signedIn = await hub.call('/api/private/login', {
      method: 'POST',
      body: { email, password },
      headers,
    });
    const cookie = signedIn.headers['set-cookie']?.[0] ?? '';
    const { json } = await hub.call('/api/v1/actions/invoke/actor_GetActor', {
      method: 'POST',
      body: {},
      headers: { cookie: cookie.split(';')[0] ?? '', ...headers },
    });
    return { status: signedIn.status, cookie, actor: json['actor'], message: signedIn.json['message'] };
  };
  const served = { CORRAL_HOST_NAMES: 'barn.lan,hub2.lan' };

  test.each([
    ['a further name', served, 'barn.lan:8080', 'http://barn.lan:8080'],
    ['a further name on the usual port', served, 'barn.lan', 'http://barn.lan'],
    [
      'a further name beside a public one',
      { ...served, CORRAL_PUBLIC_URL: 'http://hub.lan' },
      'hub2.lan',
      'http://hub2.lan',
    ],
    ['an IP address', { CORRAL_PUBLIC_URL: 'http://hub.lan' }, '192.168.1.9:8080', 'http://192.168.1.9:8080'],
    ['a further name behind TLS', served, 'barn.lan', 'https://barn.lan'],
  ])('people sign in at %s, with a cookie that browsers keep there', async (_name, env, host, origin) => {
    const { status, cookie, actor } = await signInAt(env, host, origin);
    expect(status).toBe(200);
    expect(cookie).not.toContain('Secure');
    expect(actor).toMatchObject({ actor: 'User' });
  });

  test.each([
    ['another served name', served, 'barn.lan:8080', 'http://hub2.lan:8080'],
    ['another port', served, 'barn.lan:8080', 'http://barn.lan:9090'],
    [
      'plain HTTP where the cookie needs TLS',
      { ...served, CORRAL_PUBLIC_URL: 'https://hub.lan' },
      'barn.lan',
      'http://barn.lan',
    ],
    ['an address where the cookie is kept on loopback only', {}, '192.168.1.9', 'http://192.168.1.9'],
  ])('a page of %s is refused, with the address to open', async (_name, env, host, origin) => {
    const { status, message } = await signInAt(env, host, origin);
    expect(status).toBe(403);
    expect(message).toMatch(
      /^This request was made by a page of another origin than http.* Open the console/,
    );
  });

  test('uses a cookie that browsers keep there, and the public origin for the same-origin check', async () => {
    const env = {
      CORRAL_ALLOW_INSECURE_HTTP: 'true',
      CORRAL_PUBLIC_URL: 'http://hub.lan:8080',
      CORRAL_DEVICE_CERTIFICATE_HEADER: 'off',
    };
    await using hub = await httpHub({ env });
    await hub.user(email, { password });
    const headers = { 'sec-fetch-site': 'same-origin', origin: 'http://hub.lan:8080' };
    const answer = await hub.post('/api/private/login', { email, password }, headers);
    expect(answer.headers['set-cookie']?.[0]).toMatch(
      /^session=u_session_sk_\w+; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const byOrigin = (origin: string) =>
      hub.call('/api/v1/actions/invoke/actor_GetActor', {
        method: 'POST',
        body: {},
        headers: { cookie, origin },
      });
    expect((await byOrigin('http://hub.lan:8080')).json['actor']).toMatchObject({ actor: 'User' });
    const refused = await byOrigin('http://192.168.1.9:8080');
    expect(refused.json['message']).toContain('http://hub.lan:8080');
    expect((await hub.call('/api/config.json')).json['isInsecure']).toBe(true);
  });
});
