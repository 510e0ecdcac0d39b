import { ids } from '@corral/contract';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { off } from '../../../test/passkey-scene.ts';
import { httpHub } from '../../../test/http-hub.ts';
import { password } from '../../../test/provider-scene.ts';

const issuer = 'https://idp.example';

/** Somebody with a password in a session, at a hub with a name. */
async function person() {
  const hub = await httpHub({ env: { CORRAL_PUBLIC_URL: 'https://hub.example.org', ...off } });
  onTestFinished(() => hub[Symbol.asyncDispose]());
  const { db } = hub.database;
  await db
    .insertInto('instance_settings')
    .values({ key: 'oidcIssuer', value: JSON.stringify(issuer), changed_at: new Date() })
    .execute();
  const { userId } = await hub.user('ann@example.com', { password });
  const cookie = await hub.signIn('ann@example.com', password);
  const raw = ids.user.raw(userId);
  const invoke = async (name: string, input: object) =>
    (await hub.invoke(name, { ...input }, { cookie })).text;
  return {
    link: () =>
      db
        .insertInto('user_identities')
        .values({
          issuer,
          subject: 'ann',
          user_id: raw,
          email: null,
          name: null,
          linked_at: new Date(),
          last_used_at: null,
        })
        .execute(),
    addPasskey: (rpId: string) =>
      db
        .insertInto('passkeys')
        .values({
          credential_id: 'one',
          user_id: raw,
          name: 'Laptop',
          rp_id: rpId,
          public_key: Buffer.alloc(1),
          counter: 0,
          transports: [],
          is_backed_up: false,
          created_at: new Date(),
        })
        .execute(),
    forgetPassword: () => db.updateTable('users').set({ password_hash: null }).execute(),
    unlink: () => invoke('users_UnlinkIdentity', { userId, issuer, subject: 'ann' }),
    deletePasskey: () => invoke('users_DeletePasskey', { credentialId: 'one' }),
    removeFactors: () => invoke('users_RemoveSecondFactors', { userId }),
  };
}

const last = 'This is the only way to sign in to this account.';
let ann: Awaited<ReturnType<typeof person>>;
beforeEach(async () => {
  ann = await person();
  await ann.link();
});

test('an identity goes where a passkey of the present name of the hub is left, and not where it is of another', async () => {
  await ann.forgetPassword();
  expect(await ann.unlink()).toContain(last);
  await ann.addPasskey('old.example.org');
  expect(await ann.unlink()).toContain(last);
  await ann.deletePasskey();
  await ann.addPasskey('hub.example.org');
  expect(await ann.unlink()).toBe('{}');
});

test('the passkey that is the last way to sign in stays, also when all factors are removed', async () => {
  await ann.forgetPassword();
  await ann.addPasskey('hub.example.org');
  await ann.unlink();
  for (const remove of [ann.deletePasskey, ann.removeFactors]) expect(await remove()).toContain(last);
  await ann.link();
  expect(await ann.deletePasskey()).toBe('{}');
});

test('beside a password both go', async () => {
  await ann.addPasskey('hub.example.org');
  expect([await ann.unlink(), await ann.removeFactors()]).toEqual(['{}', '{}']);
});
