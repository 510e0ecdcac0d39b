import { randomBytes } from 'node:crypto';
import { ids, randomSymbols } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bothTransports, type BothTransports } from '../../../test/both-transports.ts';
import { deviceHeaders, newDevice } from '../../../test/device-client.ts';
import type { Answer } from '../../../test/http-hub.ts';
import { dumpTables } from '../../../test/table-changes.ts';

/** Every secret sent to or by the hub, by its kind. */
const secrets = new Map<string, string>();
/** Every answer of the hub that must contain no secret. */
const answers: string[] = [];
let transports: BothTransports;
let dump = '';

function canary(what: string): string {
  const secret = `canary ${randomSymbols(24, randomBytes)}`;
  secrets.set(what, secret);
  return secret;
}

/** The first 22 symbols of a token are its id, which is not secret. */
function keepSecret(what: string, token: unknown): string {
  const raw = String(token).slice(String(token).lastIndexOf('_') + 1);
  expect(raw.length, what).toBeGreaterThanOrEqual(44);
  secrets.set(what, raw.slice(22));
  return String(token);
}

async function recordAnswer(answer: Promise<{ text: string }>): Promise<void> {
  answers.push((await answer).text);
}

beforeAll(async () => {
  transports = await bothTransports({}, { hasOwnDatabase: true });
  const { hub } = transports;
  const password = canary('password');
  const root = await hub.user('root@example.org', { password, isAdmin: true });
  const cookie = await signInAs('root@example.org', password);
  await guess();
  const made = await people(cookie, root.userId);
  await devices(cookie, made.token);
  await sendEverywhere(cookie, [password, cookie.split('=')[1] ?? '', made.token, ...secrets.values()]);
  await causeFailures(cookie, made.token);
}, 60_000);
afterAll(() => transports[Symbol.asyncDispose]());

async function signInAs(email: string, password: string): Promise<string> {
  const cookie = await transports.hub.signIn(email, password);
  keepSecret(`session of ${email} ${secrets.size}`, cookie);
  return cookie;
}

async function guess(): Promise<void> {
  const { hub } = transports;
  const wrong = canary('wrong password');
  await recordAnswer(hub.post('/api/private/login', { email: 'root@example.org', password: wrong }));
  await recordAnswer(hub.post('/api/private/login', { email: 'nobody@example.org', password: wrong }));
  await recordAnswer(hub.post('/api/private/login', { email: 'root@example.org', password: [wrong] }));
  await recordAnswer(hub.post('/api/private/login', { password: wrong, remember: wrong }));
}

async function people(cookie: string, userId: string): Promise<{ token: string }> {
  const { hub } = transports;
  const as = (name: string, input: object) => hub.invoke(name, input, { cookie });
  await recordAnswer(
    as('users_CreateUser', { email: 'ann@example.org', password: canary('password of another') }),
  );
  await recordAnswer(as('users_CreateUser', { email: 'no address', password: canary('password in vain') }));
  await recordAnswer(as('users_SetUserPassword', { userId, password: canary('new password') }));
  await recordAnswer(as('users_SetUserPassword', { userId, password: [canary('misshapen password')] }));
  const token = keepSecret(
    'user token',
    (await as('users_CreateUserToken', { userId, name: 'ci' })).json['token'],
  );
  await recordAnswer(as('users_QueryUserTokens', { userId }));
  await recordAnswer(as('users_QueryUserSessions', { userId }));
  await recordAnswer(hub.invoke('projects_QueryProjects', {}, { authorization: `Bearer ${token}` }));
  await recordAnswer(hub.invoke('users_QueryUsers', {}, { authorization: `Bearer ${token}` }));
  await recordAnswer(hub.invoke('users_QueryUsers', {}, { authorization: `Basic ${token}` }));
  return { token };
}

async function devices(cookie: string, userToken: string): Promise<void> {
  const { hub } = transports;
  const as = (name: string, input: object) => hub.invoke(name, input, { cookie });
  const { projectId } = (await as('projects_CreateProject', { name: 'Plant' })).json;
  const flags = { autoAccept: true };
  const created = await as('projects_CreateDeploymentToken', { projectId, name: 'line', flags });
  const token = keepSecret('deployment token', created.json['token']);
  const device = await newDevice();
  secrets.set('fingerprint', ids.deviceFingerprint.raw(device.fingerprint).slice(22));
  const link = await transports.connect(deviceHeaders(device, token));
  const rpc = await link.rpc();
  answers.push(JSON.stringify(await rpc.invoke('actor_GetActor', {})));
  await rpc
    .invoke('users_DeleteUser', { userId: token })
    .catch((error: Error) => answers.push(error.message));
  await rpc.invoke(device.fingerprint, {}).catch((error: Error) => answers.push(error.message));
  await recordAnswer(transports.refused(deviceHeaders(device, guessed('deployment token', token))));
  const stolen = {
    ...device,
    fingerprint: guessed('fingerprint', device.fingerprint) as typeof device.fingerprint,
  };
  await recordAnswer(transports.refused(deviceHeaders(stolen, token)));
  await recordAnswer(transports.refused({ authorization: `Bearer ${guessed('user token', userToken)}` }));
  await recordAnswer(transports.refused({ authorization: `Bearer ${token}`, 'x-user-token': userToken }));
  const commandLine = await transports.connect({
    authorization: `Bearer ${userToken}`,
    'x-register-connection': 'true',
  });
  commandLine.connection.close('');
  await recordAnswer(as('projects_QueryProjectDeploymentTokens', { projectId }));
  await recordAnswer(as('projects_QueryAuditLog', { projectId }));
  dump += await dumpTables(hub.database.db);
  await recordAnswer(as('projects_DeleteDeploymentToken', { tokenId: created.json['tokenId'] }));
  await link.connection.closed;
  await recordAnswer(transports.refused(deviceHeaders(device, token)));
}

/** A known id with a wrong secret. The wrong one counts as a secret too, since it may be a mistyped right one. */
function guessed(what: string, token: string): string {
  const wrong = token.slice(0, -22) + randomSymbols(22, randomBytes);
  secrets.set(`guessed ${what}`, wrong.slice(-22));
  return wrong;
}

/** Sends every secret in places where no secret belongs. */
async function sendEverywhere(cookie: string, all: string[]): Promise<void> {
  const { hub } = transports;
  for (const secret of all) {
    const path = `/api/v1/actions/invoke/${encodeURIComponent(secret)}`;
    await recordAnswer(hub.call(path, { method: 'POST', body: {} }));
    await recordAnswer(hub.call(`/api/${encodeURIComponent(secret)}?token=${encodeURIComponent(secret)}`));
    await recordAnswer(hub.invoke('users_GetUserDetails', { userId: secret, [secret]: secret }, { cookie }));
    await recordAnswer(hub.invoke('users_DeleteUserToken', { tokenId: secret, token: secret }, { cookie }));
    await recordAnswer(hub.invoke('users_DeleteUserToken', `{"tokenId":"${secret}`, { cookie }));
    await recordAnswer(hub.invoke('actor_GetActor', {}, { authorization: `Bearer ${secret}` }));
    await recordAnswer(
      hub.invoke('actor_GetActor', {}, { cookie: `__Host-session=${encodeURIComponent(secret)}` }),
    );
  }
}

/** Drops tables, so that requests fail inside the hub and the errors are logged with all their details. */
async function causeFailures(cookie: string, token: string): Promise<void> {
  const { hub } = transports;
  await hub.database.db.schema.dropTable('sign_in_failures').execute();
  await hub.database.db.schema.dropTable('user_tokens').cascade().execute();
  const failing: Promise<Answer>[] = [
    hub.post('/api/private/login', { email: 'root@example.org', password: secrets.get('new password') }),
    hub.invoke('actor_GetActor', {}, { authorization: `Bearer ${token.slice(0, -1)}1` }),
    hub.invoke('users_DeleteUserToken', { tokenId: ids.userTokenId.of('1'.repeat(22)), token }, { cookie }),
  ];
  for (const answer of failing) expect((await answer).status).toBe(500);
  answers.push(...(await Promise.all(failing)).map(({ text }) => text));
  dump += await dumpTables(hub.database.db);
}

/** The forms in which a secret could leak: plain, hex, Base64, percent-encoded. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    encodeURIComponent(secret),
  ];
}

describe('no secret is found', () => {
  const found = (text: string) =>
    [...secrets].flatMap(([what, secret]) =>
      formsOf(secret).some((form) => text.includes(form)) ? [what] : [],
    );

  test('that the test has collected', () => {
    expect([...secrets.keys()]).toEqual(
      expect.arrayContaining([
        'password',
        'user token',
        'deployment token',
        'fingerprint',
        'guessed fingerprint',
      ]),
    );
    expect(
      found(`x ${secrets.get('password')} y ${Buffer.from(secrets.get('user token') ?? '').toString('hex')}`),
    ).toEqual(['password', 'user token']);
  });

  test('in the process log', () => {
    expect(transports.hub.logged()).toContain('a connection was refused');
    expect(transports.hub.logged()).toContain('an action failed');
    expect(found(transports.hub.logged())).toEqual([]);
  });

  test('in any table, including the audit log', () => {
    for (const table of [
      'users',
      'user_sessions',
      'user_tokens',
      'deployment_tokens',
      'devices',
      'audit_actions',
    ])
      expect(dump.includes(`${table} {`), table).toBe(true);
    expect(found(dump)).toEqual([]);
  });

  test('in any answer to other callers', () => {
    expect(answers.length).toBeGreaterThan(80);
    expect(found(answers.join('\n'))).toEqual([]);
  });
});
