import { ids } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { absentId } from '../../../test/fresh-executor.ts';
import { httpHub, staleCookie, type HttpHub } from '../../../test/http-hub.ts';

describe('invoking actions over HTTP', () => {
  let hub: HttpHub;
  let cookie: string;
  let userId: string;
  beforeAll(async () => {
    hub = await httpHub();
    userId = (await hub.user('ada@example.org', { password: 'correct horse battery' })).userId;
    cookie = await hub.signIn('ada@example.org', 'correct horse battery');
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const invalid = (message: string) => ({ kind: 'Invalid', message });
  const raw = (body: string | Buffer, headers: Record<string, string> = {}) =>
    hub.call('/api/v1/actions/invoke/actor_GetActor', { method: 'POST', body, headers });

  test('"POST v1/actions/invoke/{actionName}: JSON action-specific payload; response body returned as is.": with version, request id and no caching', async () => {
    const answer = await hub.invoke('actor_GetActor', {});
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ actor: { actor: 'Anonymous', kind: 'Anonymous' } });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-corral-version': '1.2.3',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': 'no-store',
    });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{12}-[0-9a-z]{8}$/);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('knows a session by its cookie', async () => {
    const { json } = await hub.invoke('actor_GetActor', {}, { cookie });
    expect(json['actor']).toEqual({ actor: 'User', kind: 'User', userId });
  });

  test('"Not logged in: actor is not a User.": an invalid session is anonymous', async () => {
    const asNobody = await hub.invoke('actor_GetActor', {}, { cookie: staleCookie });
    expect(asNobody.json).toEqual({ actor: { actor: 'Anonymous', kind: 'Anonymous' } });
    const refused = await hub.invoke('projects_QueryProjects', {}, { cookie: staleCookie });
    expect(refused.status).toBe(401);
    expect(refused.json).toEqual({ kind: 'Forbidden', message: 'Not logged in.' });
  });

  test('compresses a long answer where the client takes that, and no short one', async () => {
    for (let number = 1; number <= 40; number += 1)
      await hub.invoke('projects_CreateProject', { name: `Site ${number}` }, { cookie });
    const ask = async (name: string, accepted: string) => {
      const answer = await fetch(`${hub.url}/api/v1/actions/invoke/${name}`, {
        method: 'POST',
        body: JSON.stringify(name === 'actor_GetActor' ? {} : { userId }),
        headers: {
          cookie,
          'content-type': 'application/json',
          'sec-fetch-site': 'same-origin',
          'accept-encoding': accepted,
        },
      });
      return [answer.headers.get('content-encoding'), JSON.stringify(await answer.json())];
    };
    const [encoding, long] = await ask('users_QueryUserProjects', 'gzip, br');
    expect(encoding).toBe('gzip');
    expect(await ask('users_QueryUserProjects', 'identity')).toEqual([null, long]);
    expect((await ask('actor_GetActor', 'gzip'))[0]).toBeNull();
  });

  test('answers an unknown action with 404', async () => {
    const answer = await hub.invoke('no_Such', {});
    expect([answer.status, answer.json]).toEqual([404, invalid('There is no action of this name.')]);
    expect((await hub.invoke('toString', {})).status).toBe(404);
    expect((await hub.invoke('x'.repeat(5000), {})).status).toBe(404);
  });

  test('answers an unknown address below /api with 404 as JSON', async () => {
    for (const path of ['/api/v2/nothing', '/api', '/api/v1/actions/invoke/actor_GetActor']) {
      const answer = await hub.call(path, { headers: { accept: 'text/html' } });
      expect([answer.status, answer.json]).toEqual([404, invalid('There is nothing at this address.')]);
    }
  });

  test.each([
    ['{', 'The body is not valid JSON.'],
    ['', 'The body is empty; send a JSON object.'],
    ['{"a":1,"a":2}', 'The body names the same key twice in one object.'],
    ['{"a":{"b":1,"\\u0062":2}}', 'The body names the same key twice in one object.'],
    ['{"__proto__":{}}', 'The body may not use __proto__ as a key.'],
    ['{"a":[{"\\u005f_proto__":1}]}', 'The body may not use __proto__ as a key.'],
    ['{"constructor":1}', 'The body may not use constructor as a key.'],
    [`{"a":${'['.repeat(32)}${']'.repeat(32)}}`, 'The body is nested deeper than 32 levels.'],
    ['['.repeat(60_000), 'The body is nested deeper than 32 levels.'],
    [Buffer.from([0x22, 0xff, 0x22]), 'The body is not UTF-8.'],
  ])('refuses the body %.30s', async (body, message) => {
    const answer = await raw(body);
    expect([answer.status, answer.json]).toEqual([400, invalid(message)]);
  });

  test('names the field of an input that has not the right shape', async () => {
    const answer = await hub.invoke('users_GetUserDetails', { userId: 7 }, { cookie });
    expect(answer.status).toBe(400);
    expect(answer.json['message']).toMatch(/^The field userId is wrong: /);
    expect((await hub.invoke('users_GetUserDetails', [], { cookie })).status).toBe(400);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'refuses the content type "%s"',
    async (type) => {
      const answer = await raw('{}', { 'content-type': type });
      expect([answer.status, answer.json]).toEqual([
        400,
        invalid('Send the body with the header Content-Type: application/json.'),
      ]);
    },
  );

  test('takes the charset of JSON', async () => {
    expect((await raw('{}', { 'content-type': 'application/json; charset=UTF-8' })).status).toBe(200);
  });

  test('refuses a compressed body', async () => {
    const answer = await raw('{}', { 'content-encoding': 'gzip' });
    expect([answer.status, answer.json]).toEqual([400, invalid('Send the body without a Content-Encoding.')]);
  });

  test('limits bodies to 64 KiB unless the action allows more', async () => {
    const ofSize = (sizeBytes: number) => ({ pad: 'x'.repeat(sizeBytes) });
    expect((await hub.invoke('actor_GetActor', ofSize(65_000))).status).toBe(200);
    const tooLarge = await hub.invoke('actor_GetActor', ofSize(65_536));
    expect([tooLarge.status, tooLarge.json]).toEqual([413, invalid('The body is larger than 64 KiB.')]);
    for (const sizeBytes of [65_536, 9_000_000]) {
      const ofSomebody = await hub.invoke('actor_GetActor', ofSize(sizeBytes), { cookie });
      expect([ofSomebody.status, ofSomebody.json]).toEqual([413, invalid('The body is larger than 64 KiB.')]);
    }
    const property = { deviceId: absentId('device'), name: 'a', value: 'x'.repeat(4_000_000) };
    const allowed = await hub.invoke('devices_SetDeviceProperty', property, { cookie });
    expect(allowed.json).toEqual(invalid('Device not found.'));
    const tooLong = { ...property, value: 'x'.repeat(4_300_000) };
    const refused = await hub.invoke('devices_SetProperty', tooLong, { cookie });
    expect([refused.status, refused.json]).toEqual([413, invalid('The body is larger than 4112 KiB.')]);
  });

  test('answers immediately when the announced size is far too large', async () => {
    const answer = await raw('', { 'content-length': '900000000000' });
    expect(answer.status).toBe(413);
    expect(answer.headers.connection).toBe('close');
  });

  test('accepts a user token from another origin', async () => {
    const created = await hub.invoke('users_CreateUserToken', { userId, name: 'ci' }, { cookie });
    const { token, tokenId } = created.json as { token: string; tokenId: string };
    const bearer = { authorization: `Bearer ${token}`, 'sec-fetch-site': 'cross-site' };
    const answer = await hub.invoke('actor_GetActor', {}, bearer);
    expect(answer.json['actor']).toEqual({ actor: 'UserToken', kind: 'UserToken', userId, tokenId });
    await hub.invoke('users_DeleteUserToken', { tokenId }, { cookie });
    await expect.poll(async () => (await hub.invoke('actor_GetActor', {}, bearer)).status).toBe(401);
  });

  test('keeps a user token within its bounds, also while it is remembered', async () => {
    const expiresAt = new Date(Date.now() + 600_000).toISOString();
    const bearerOf = async (bounds: object): Promise<Record<string, string>> => {
      const input = { userId, expiresAt, ...bounds };
      const { token } = (await hub.invoke('users_CreateUserToken', input, { cookie })).json;
      return { authorization: `Bearer ${String(token)}` };
    };
    const create = async (headers: Record<string, string>) =>
      (await hub.invoke('projects_CreateProject', { name: 'Plant' }, headers)).status;
    const [full, reading, limited] = [
      await bearerOf({}),
      await bearerOf({ access: 'read' }),
      await bearerOf({ projects: [] }),
    ];
    for (const _ of ['read from the database', 'remembered'])
      expect([await create(full), await create(reading), await create(limited)]).toEqual([200, 403, 403]);
    // The clock of the machine goes on meanwhile.
    hub.advance(480);
    expect(await create(full)).toBe(200);
    hub.advance(120);
    expect(await create(full)).toBe(401);
  });

  test.each(['Bearer', 'Bearer nonsense', `Bearer ${ids.userToken.of('z'.repeat(66))}`, 'Basic YTpi'])(
    'refuses the authorization "%s" and does not fall back on the cookie',
    async (authorization) => {
      const answer = await hub.invoke('actor_GetActor', {}, { authorization, cookie });
      expect(answer.status).toBe(401);
      expect(answer.json['kind']).toBe('Forbidden');
    },
  );

  test('hides internal errors and names the request', async () => {
    await using broken = await httpHub({ hasOwnDatabase: true });
    const { db } = broken.database;
    await broken.user('eve@example.org', { password: 'correct horse battery' });
    const session = await broken.signIn('eve@example.org', 'correct horse battery');
    await db.schema.dropTable('project_members').cascade().execute();
    const answer = await broken.invoke('projects_QueryProjects', {}, { cookie: session });
    expect(answer.status).toBe(500);
    expect(answer.json).toEqual({
      kind: 'Internal',
      message: 'Something went wrong in the hub.',
      requestId: answer.headers['x-request-id'],
    });
    expect(broken.logged()).toContain(answer.json['requestId']);
    expect(broken.logged()).not.toContain(session.split('=')[1]);
  });
});
