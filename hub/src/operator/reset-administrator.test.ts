import { ids } from '@corral/contract';
import { expect, test } from 'vitest';
import { authenticatorCode } from '../../test/authenticator-code.ts';
import { callUrl } from '../../test/asset-scene.ts';
import { hubWith, type SettingsHub } from '../../test/hub-with-settings.ts';
import { runHub } from '../../test/run-hub.ts';

const email = 'ann@example.org';
const userId = ids.user.raw(ids.user.of('a'.repeat(22)));

/** Posts as a page of the console does. */
async function post({ url }: SettingsHub, path: string, body: unknown, cookie = '') {
  const { status, headers, bytes } = await callUrl(new URL(path, url).href, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
    body: Buffer.from(JSON.stringify(body)),
  });
  const cookies = (headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ');
  return { status, cookies, json: JSON.parse(bytes.toString()) as Record<string, unknown> };
}

/** A hub with an administrator by a group at the provider, who signs in only there; nobody may use a password. */
async function scene() {
  const hub = await hubWith({});
  const { db } = hub.database;
  await db
    .insertInto('users')
    .values({
      user_id: userId,
      email,
      display_name: 'Ann',
      password_hash: null,
      is_admin: true,
      is_admin_from_groups: true,
      created_at: new Date(),
    })
    .execute();
  await db
    .insertInto('user_identities')
    .values({
      issuer: 'https://idp.example',
      subject: 'ann',
      user_id: userId,
      email,
      name: 'Ann',
      linked_at: new Date(),
      last_used_at: null,
    })
    .execute();
  const settings = { passwords: 'nobody', secondFactor: 'everyone', secondFactorGraceDays: 0 };
  for (const [key, value] of Object.entries(settings))
    await db
      .insertInto('instance_settings')
      .values({ key, value: JSON.stringify(value), changed_at: new Date() })
      .execute();
  const reset = async () => {
    const done = await runHub(['reset-administrator', '--email', email], hub.env);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    return { stdout: done.stdout, password: /password +(\S+)\n/.exec(done.stdout)?.[1] ?? '' };
  };
  const account = () =>
    db
      .selectFrom('users')
      .select(['is_admin', 'is_admin_from_groups', 'disabled_at'])
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow();
  return { hub, db, reset, account };
}

test('an administrator by a group at the provider gets a password that works, and is one from then on whatever the groups say', async () => {
  const { hub, db, reset, account } = await scene();
  await db.updateTable('users').set({ disabled_at: new Date() }).where('user_id', '=', userId).execute();
  const { stdout, password } = await reset();
  expect(stdout).toContain('Administrators may sign in with a password again.');
  expect(stdout).toContain('It stays an administrator, whatever its groups at the provider say.');
  expect(stdout).toContain('Its user tokens, and its accounts at the provider, are still valid');
  expect(await account()).toEqual({ is_admin: true, is_admin_from_groups: false, disabled_at: null });
  const begun = await post(hub, '/api/private/login', { email, password });
  expect([begun.status, begun.json]).toEqual([200, { wants: 'enrolment' }]);
  const { json } = await post(hub, '/api/private/login/step', {}, begun.cookies);
  const code = authenticatorCode(String(json['secret']), new Date());
  const entered = await post(hub, '/api/private/login/factor', { code }, begun.cookies);
  expect(entered.status).toBe(200);
  // The password was a proof, so that grave changes need no other one.
  const changed = await post(
    hub,
    '/api/v1/actions/invoke/instance_SetInstanceSettingRaw',
    { key: 'passwords', value: 'allowed' },
    entered.cookies,
  );
  expect([changed.status, changed.json]).toEqual([200, {}]);
});
