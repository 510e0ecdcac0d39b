import { emailSpellings } from '@corral/contract';
import { hash } from '@node-rs/argon2';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { httpHub, system, type HttpHub } from '../../../../test/http-hub.ts';

const password = 'correct horse battery';
const readable = 'ann@münchen.example';
const encoded = 'ann@xn--mnchen-3ya.example';

let hub: HttpHub;
beforeAll(async () => void (hub = await httpHub()));
afterAll(() => hub[Symbol.asyncDispose]());

const signIn = async (email: string, typed = password) =>
  (await hub.post('/api/private/login', { email, password: typed })).status;

describe('an address with an umlaut in its domain', () => {
  test('is one account in each spelling, and is shown in letters', async () => {
    const cookie = await (async () => {
      await hub.user(encoded, { password, isAdmin: true });
      return hub.signIn(readable, password);
    })();
    const others = [
      encoded,
      'ANN@MÜNCHEN.example',
      'ann@mu\u0308nchen。example',
      'Ann@XN--MNCHEN-3YA.Example ',
    ];
    for (const other of others) {
      expect(await signIn(other), other).toBe(200);
      const again = await hub.executor.invoke(system, 'users_CreateUser', { email: other });
      expect(again, other).toEqual({ result: 'EmailAlreadyExists' });
    }
    for (const search of ['münchen', 'munchen', 'xn--mnchen-3ya', encoded]) {
      const { json } = await hub.invoke('users_QueryUsers', { search }, { cookie });
      expect(json['users'], search).toMatchObject([{ email: readable }]);
    }
  });

  test('sees an invitation to its other spelling', async () => {
    const owner = await hub.user('owner@example.org', { password });
    const cookie = await hub.signIn('owner@example.org', password);
    const { projectId } = (
      await hub.invoke('projects_CreateProject', { name: 'Plant', userId: owner.userId }, { cookie })
    ).json;
    await hub.user('bea@bücher.example', { password });
    const invited = await hub.invoke(
      'projects_InviteProjectMember',
      { projectId, email: 'bea@xn--bcher-kva.example' },
      { cookie },
    );
    expect(invited.status).toBe(200);
    const hers = await hub.signIn('bea@xn--bcher-kva.example', password);
    const { userId } = (await hub.invoke('actor_GetActor', {}, { cookie: hers })).json['actor'] as {
      userId: string;
    };
    const { json } = await hub.invoke('users_QueryUserProjectInvitations', { userId }, { cookie: hers });
    expect(json['invitations']).toMatchObject([{ project: { name: 'Plant' } }]);
  });

  test('that an earlier release registered twice lets both people in', async () => {
    const [first, second] = ['cat@köln.example', 'cat@xn--kln-sna.example'];
    await hub.user(first, { password });
    const { userId } = await hub.user('placeholder@example.org', { password: 'another fine password' });
    await sql`update users set email = ${second} where user_id = ${userId.replace('u_', '')}`.execute(
      hub.database.db,
    );
    expect(emailSpellings(second)).toEqual([second, first]);
    for (const email of [first, second]) {
      expect(await signIn(email)).toBe(200);
      expect(await signIn(email, 'another fine password')).toBe(200);
      expect(await signIn(email, 'a wrong password')).toBe(401);
    }
  });
});

describe('a password with accents', () => {
  const composed = 'motdepass\u00e9';
  const decomposed = 'motdepasse\u0301';

  test('is the same in each form of Unicode', async () => {
    await hub.user('dora@example.org', { password: decomposed });
    expect(await signIn('dora@example.org', composed)).toBe(200);
    expect(await signIn('dora@example.org', decomposed)).toBe(200);
  });

  test('that an earlier release hashed as it was typed still works, and is hashed anew', async () => {
    const { userId } = await hub.user('eve@example.org', { password });
    const rawId = userId.replace('u_', '');
    const stored = await hash(decomposed, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
    await sql`update users set password_hash = ${stored} where user_id = ${rawId}`.execute(hub.database.db);
    expect(await signIn('eve@example.org', 'motdepasse')).toBe(401);
    expect(await signIn('eve@example.org', composed)).toBe(200);
    const { rows } = await sql<{ password_hash: string }>`
      select password_hash from users where user_id = ${rawId}`.execute(hub.database.db);
    expect(rows[0]?.password_hash).not.toBe(stored);
    expect(await signIn('eve@example.org', decomposed)).toBe(200);
    const again = await sql`select password_hash from users where user_id = ${rawId}`.execute(
      hub.database.db,
    );
    expect(again.rows).toEqual(rows);
  });
});

test.each([
  '\u200b',
  '\u00ad',
  '\u2800',
  '\u3164',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\u180e',
  '\u034f',
  '\u{e0041}',
  '\ufe0f',
  '\u00a0',
  '\u0007',
])(
  'an address with the invisible character %j is refused, and so is a name of nothing else',
  async (character) => {
    const answer = await hub.executor
      .invoke(system, 'users_CreateUser', { email: `a${character}b@example.org` })
      .catch((error: Error) => error.message);
    expect(answer).toBe('Please enter a valid email address.');
    for (const domain of [`exam${character}ple.org`, `exam${character}plé.org`])
      await expect(hub.executor.invoke(system, 'users_CreateUser', { email: `a@${domain}` })).rejects.toThrow(
        'Please enter a valid email address.',
      );
    const { userId } = await hub.executor
      .invoke(system, 'users_QueryUsers', { search: 'dora@' })
      .then(({ users }) => users[0] ?? { userId: undefined as never });
    await expect(
      hub.executor.invoke(system, 'users_SetUserDisplayName', {
        userId,
        displayName: ` ${character}${character}`,
      }),
    ).rejects.toThrow(/visible character|must not be empty/);
  },
);
