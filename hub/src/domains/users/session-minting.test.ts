import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { actions, ids, type ActionName } from '@corral/contract';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { freshExecutor, system } from '../../../test/fresh-executor.ts';
import { signIn, validPassword } from '../../../test/test-users.ts';
import { AuthenticateWithSessionToken } from './internal/AuthenticateWithSessionToken.ts';

/** What each action that takes or gives a credential of a person leads to. */
const procedures: Readonly<Partial<Record<ActionName, 'session' | 'password' | 'token'>>> = {
  // Makes a session, by `beginSession`.
  users_InitiateUserSession: 'session',
  // Set a password only: its user signs in with it afterwards.
  users_CompleteRegistration: 'password',
  users_CreateUser: 'password',
  users_RegisterUser: 'password',
  users_SetPasswordByLink: 'password',
  users_SetUserPassword: 'password',
  // Make a user token for whoever has a session, here or at the approval of its code.
  users_CreateUserToken: 'token',
  users_RedeemLogin: 'token',
  // Makes a user token of a service account, which is no person and has no factors.
  repositories_ExchangeIdToken: 'token',
};

test('each action that takes a password, or gives a session or a token of a user, has a row, and leads to nothing else', () => {
  const found = Object.entries(actions).flatMap(([name, { input, output }]) => {
    const gives = z.toJSONSchema(output, { unrepresentable: 'any', io: 'input' });
    const takes = z.toJSONSchema(input, { unrepresentable: 'any', io: 'input' });
    const has = (schema: unknown, text: string) => JSON.stringify(schema).includes(text);
    if (has(gives, patternOf('sessionToken'))) return [[name, 'session']];
    if (has(gives, patternOf('userToken'))) return [[name, 'token']];
    return has(takes, '"password":') ? [[name, 'password']] : [];
  });
  expect(Object.fromEntries(found)).toEqual(procedures);
});

/** How the pattern of an id is written in a JSON schema. */
function patternOf(kind: 'sessionToken' | 'userToken'): string {
  const { pattern } = z.toJSONSchema(ids[kind].schema, { unrepresentable: 'any', io: 'input' });
  if (pattern === undefined) throw new Error(`${kind} has no pattern`);
  return JSON.stringify(pattern).slice(1, -1);
}

/** The files of the hub with a text like this. */
async function filesWith(text: RegExp): Promise<string[]> {
  const folder = join(import.meta.dirname, '../..');
  const files = await readdir(folder, { recursive: true });
  const found = await Promise.all(
    files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map(async (file) => (text.test(await readFile(join(folder, file), 'utf8')) ? [file] : [])),
  );
  return found.flat().toSorted();
}

test('sessions are written in one place only', async () => {
  const writing = /insert\s?into\s+user_sessions|insertInto\('user_sessions'\)/i;
  expect(await filesWith(writing)).toEqual(['domains/users/sql/sessions.ts']);
});

test('each way to sign in has a row, with what was proved', async () => {
  const ways = {
    'domains/identities/internal/SignInByIdentity.ts': ['provider'],
    'domains/users/actions/InitiateUserSession.ts': ['password'],
    'domains/users/internal/CompleteSignIn.ts': ['...pending.methods', 'proof.method'],
    'domains/users/internal/SignInByPasskey.ts': ['passkey'],
  };
  expect(await filesWith(/await beginSession\(/)).toEqual(Object.keys(ways));
  const folder = join(import.meta.dirname, '../..');
  for (const [file, methods] of Object.entries(ways)) {
    const text = await readFile(join(folder, file), 'utf8');
    expect(/methods: \[(.*)\]/.exec(text)?.[1]?.replaceAll("'", '').split(', ')).toEqual(methods);
  }
});

test('a new password makes no session, and the next one says how, when and from where it was authenticated', async () => {
  await using hub = await freshExecutor();
  const ann = await hub.user('ann@example.com');
  await hub.as(system, 'users_SetUserPassword', { userId: ann.userId, password: validPassword });
  expect((await hub.as(ann, 'users_QueryUserSessions', { userId: ann.userId })).sessions).toEqual([]);
  const at = hub.now().toISOString().replace('.000Z', 'Z');
  const { sessionToken } = await signIn(hub, 'ann@example.com', validPassword, { ip: '203.0.113.7' });
  hub.advance(60);
  const { sessions } = await hub.as(ann, 'users_QueryUserSessions', { userId: ann.userId });
  expect(sessions).toMatchObject([
    { methods: ['password'], authenticatedAt: at, steppedUpAt: at, address: '203.0.113.7' },
  ]);
  expect(await hub.run(AuthenticateWithSessionToken, { token: sessionToken })).toMatchObject({
    result: 'Authenticated',
  });
});
