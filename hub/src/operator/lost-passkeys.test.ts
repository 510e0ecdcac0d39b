import { ids, type Output } from '@corral/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { callUrl } from '../../test/asset-scene.ts';
import { hubWith, type SettingsHub } from '../../test/hub-with-settings.ts';
import { runHub } from '../../test/run-hub.ts';
import { softwarePasskey } from '../../test/software-authenticator.ts';

const email = 'admin@example.org';
/** Where the hub was before. */
const former = { CORRAL_PUBLIC_URL: 'https://old.example.org', CORRAL_DEVICE_CERTIFICATE_HEADER: 'off' };

type Request = Output<'users_BeginPasskeyRegistration'>;

/** Adds a passkey to the administrator; those of this hub belong to localhost. */
async function addPasskey({ url, invoke }: SettingsHub): Promise<string[] | undefined> {
  const request = (await invoke('users_BeginPasskeyRegistration', {})) as unknown as Request;
  const credential = softwarePasskey(`http://localhost:${new URL(url).port}`).create(request) as unknown;
  const added = await invoke('users_AddPasskey', { name: 'Laptop', credential });
  return added['recoveryCodes'] as string[] | undefined;
}

/** Signs in with a password; the answer, which asks for a factor where there is one. */
async function signIn(hub: SettingsHub, password: string): Promise<unknown> {
  const { bytes } = await callUrl(new URL('/api/private/login', hub.url).href, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: Buffer.from(JSON.stringify({ email, password })),
  });
  return JSON.parse(bytes.toString());
}

test('under another name the hub takes no new passkeys until the operator, told how many users lose theirs, has said so', async () => {
  const hub = await hubWith({});
  const { userId = '' } = await hub.invoke('users_CreateUser', { email: 'bea@example.org' });
  await sql`insert into passkeys (credential_id, user_id, name, rp_id, public_key, counter, transports, is_backed_up, created_at)
    values ('a', ${ids.user.raw(userId as never)}, 'Laptop', 'old.example.org', '', 0, '{}', false, now())`.execute(
    hub.database.db,
  );
  const move = (...more: string[]) => runHub(['move-passkeys', ...more], hub.env);
  const refused =
    'The passkeys of this hub belong to old.example.org, and it is localhost now. Its operator decides by the command move-passkeys which name counts.';
  await expect(addPasskey(hub)).rejects.toThrow(refused);
  expect(await move()).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^1 user has passkeys that work only at old\.example\.org\. They lose them if the passkeys of this hub belong to localhost: /,
    ),
  });
  await expect(addPasskey(hub)).rejects.toThrow(refused);
  const done = {
    code: 0,
    stdout: 'The passkeys of this hub belong to localhost.\n',
    stderr: '',
  };
  expect(await move('--confirm')).toEqual(done);
  expect(await addPasskey(hub)).toHaveLength(10);
  expect(await move()).toEqual(done);
  const { actions } = (await hub.invoke('audit_QueryAuditLogActions', {})) as unknown as {
    actions: { action: string; data: unknown }[];
  };
  expect(actions).toContainEqual(
    expect.objectContaining({ action: 'instance_MovePasskeys', data: { hostname: 'localhost' } }),
  );
  // Back at the former name, the passkeys of the new one would be lost.
  expect(await runHub(['move-passkeys'], { ...hub.env, ...former })).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^1 user has passkeys that work only at localhost\./),
  });
});

test('reset-administrator takes --remove-second-factors: the account whose factors are lost signs in with the printed password alone', async () => {
  const hub = await hubWith({});
  await addPasskey(hub);
  const reset = async (...more: string[]) => {
    const { code, stdout } = await runHub(['reset-administrator', '--email', email, ...more], hub.env);
    expect(code).toBe(0);
    return { stdout, answer: await signIn(hub, /password +(\S+)\n/.exec(stdout)?.[1] ?? '') };
  };
  const kept = await reset();
  expect(kept.answer).toEqual({ wants: 'factor' });
  expect(kept.stdout).toContain('run this again with --remove-second-factors');
  const removed = await reset('--remove-second-factors');
  expect(removed.answer).toEqual({});
  expect(removed.stdout).toContain('Its second factor was removed.');
});
