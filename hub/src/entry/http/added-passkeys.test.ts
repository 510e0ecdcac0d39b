import { expect, test } from 'vitest';
import {
  openPasskeyHubs,
  hub,
  somebody,
  begin,
  add,
  withPasskey,
  factorsOf,
  challenge,
  enter,
  eventsOf,
  origin,
  password,
} from '../../../test/passkey-scene.ts';
import { softwarePasskey } from '../../../test/software-authenticator.ts';
import { amounts } from '../../limits/amounts.ts';

openPasskeyHubs();

test.each([0, -65_535, -36, 5])('a key with the algorithm %i is not added', async (algorithm) => {
  const person = await somebody();
  expect((await add(person, softwarePasskey(origin), { algorithm })).status).toBe(400);
});

test('a passkey that certificates vouch for is not added, and nothing is fetched for it', async () => {
  const person = await somebody();
  const attestation = {
    fmt: 'packed',
    attStmt: { alg: -7, sig: Buffer.alloc(70), x5c: [Buffer.alloc(300)] },
  };
  expect((await add(person, softwarePasskey(origin), { attestation })).status).toBe(400);
});

test('a passkey is registered once, by one user', async () => {
  const [ada, bob] = [await withPasskey(), await somebody()];
  for (const person of [ada, bob]) {
    const refused = await add(person, ada.passkey);
    expect(refused.json['message']).toBe('This passkey is registered already.');
  }
  expect((await begin(ada)).exclude).toEqual([ada.passkey.credentialId]);
});

test('names follow the rule for names, also when a passkey is renamed', async () => {
  const ada = await withPasskey();
  for (const name of ['', ' ', 'x'.repeat(65_536), 'x'.repeat(500)]) {
    expect((await add(ada, softwarePasskey(origin), {}, name)).status).toBeGreaterThanOrEqual(400);
    const renamed = await ada.invoke('users_SetPasskeyName', {
      credentialId: ada.passkey.credentialId,
      name,
    });
    expect(renamed.status).toBeGreaterThanOrEqual(400);
  }
  const { credentialId } = ada.passkey;
  expect((await ada.invoke('users_SetPasskeyName', { credentialId, name: ' Desk ' })).status).toBe(200);
  expect((await factorsOf(ada)).passkeys).toMatchObject([{ name: 'Desk' }]);
  const bob = await somebody();
  for (const name of ['users_SetPasskeyName', 'users_DeletePasskey'])
    expect((await bob.invoke(name, { credentialId, name: 'Mine' })).json['message']).toBe(
      'Passkey not found.',
    );
});

test('a user has at most 30 passkeys, also when two are added at once', async () => {
  const ada = await withPasskey();
  for (let count = 1; count < amounts.passkeys.max - 1; count += 1)
    expect((await add(ada, softwarePasskey(origin))).status).toBe(200);
  const both = await Promise.all(
    [softwarePasskey(origin), softwarePasskey(origin)].map((one) => add(ada, one)),
  );
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = await add(ada, softwarePasskey(origin));
  expect(refused.json['message']).toBe('You have 30 passkeys, and there can be no more. Remove one first.');
});

test('the last factor goes with its recovery codes, but stays where the instance asks for one', async () => {
  const ada = await withPasskey(true);
  const { credentialId } = ada.passkey;
  const setPolicy = (value: string) =>
    ada.invoke('instance_SetInstanceSettingRaw', { key: 'secondFactor', value });
  await setPolicy('everyone');
  for (const [name, input] of [
    ['users_DeletePasskey', { credentialId }],
    ['users_RemoveSecondFactors', { userId: ada.userId }],
  ] as const)
    expect((await ada.invoke(name, input)).json['message']).toMatch(/^This hub asks you for a second factor/);
  const second = softwarePasskey(origin);
  await add(ada, second);
  expect((await ada.invoke('users_DeletePasskey', { credentialId })).status).toBe(200);
  expect((await enter(ada.passkey.use(await challenge()))).json['message']).toMatch(
    /^This hub does not know this passkey/,
  );
  await setPolicy('optional');
  const left = { credentialId: second.credentialId };
  expect((await ada.invoke('users_DeletePasskey', left)).status).toBe(200);
  expect(await factorsOf(ada)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
  expect((await hub.post('/api/private/login', { email: ada.email, password })).text).toBe('{}');
  expect(await eventsOf('users_SecondFactorRemoved')).toContainEqual({
    userId: ada.userId,
    kind: 'passkey',
    name: 'Laptop',
  });
});

test('another administrator removes the passkeys of a user, and a removed user leaves none', async () => {
  const [ada, admin] = [await withPasskey(), await somebody(true)];
  await admin.invoke('users_RemoveSecondFactors', { userId: ada.userId });
  expect(await factorsOf(ada)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 });
  const bob = await withPasskey();
  const count = () =>
    hub.database.db
      .selectFrom('passkeys')
      .select('name')
      .where('user_id', '=', bob.userId.slice(2))
      .execute();
  expect(await count()).toHaveLength(1);
  await admin.invoke('users_DeleteUser', { userId: bob.userId });
  expect(await count()).toEqual([]);
});
