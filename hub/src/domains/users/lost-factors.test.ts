import { randomBytes } from 'node:crypto';
import { type Actor, type Id, ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { authenticatorCode } from '../../../test/authenticator-code.ts';
import { freshExecutor, type FreshExecutor, system } from '../../../test/fresh-executor.ts';
import { createInviteScope } from '../../../test/invitation-scene.ts';
import { mailHub } from '../../../test/mail-hub.ts';
import { tokenIn } from '../../../test/smtp-inbox.ts';
import { signIn, trySignIn, validPassword } from '../../../test/test-users.ts';
import { createVault } from '../../platform/vault/vault.ts';
import { BeginSignInEnrolment } from './internal/BeginSignInEnrolment.ts';
import { CompleteSignIn } from './internal/CompleteSignIn.ts';
import { reencryptTotpSecrets } from './sql/second-factors.ts';

const email = 'ann@example.com';
let hub: FreshExecutor;
let ann: Extract<Actor, { actor: 'User' }>;
let secret: string;
let recoveryCodes: readonly string[] | undefined;
beforeEach(async () => {
  hub = await freshExecutor();
  ann = await hub.user(email, { password: validPassword, isAdmin: true });
  ({ secret } = await hub.as(ann, 'users_BeginAuthenticatorEnrolment', {}));
  ({ recoveryCodes } = await hub.as(ann, 'users_ConfirmAuthenticatorEnrolment', { code: code() }));
  hub.advance(30);
});
afterEach(() => hub[Symbol.asyncDispose]());

const code = () => authenticatorCode(secret, hub.now());

async function waiting(): Promise<Id<'pendingSignIn'>> {
  const answer = await trySignIn(hub, email, validPassword);
  if (answer.result === 'Created' || answer.result === 'InvalidCredentials') throw new Error(answer.result);
  return answer.pendingToken;
}

test('after a restore without the secret key a sign-in says what is missing; a recovery code still works, and so does the command of the operator', async () => {
  await sql`update totp_factors set sealed_under = 'lost-key'`.execute(hub.database.db);
  const typed = { pendingToken: await waiting(), code: code(), isRecoveryCode: false };
  expect(await hub.refused(CompleteSignIn, typed)).toEqual({
    kind: 'NotReady',
    message:
      'The hub lacks the secret key lost-key, under which your authenticator is stored. Use a recovery code, or ask an administrator to remove your second factor.',
  });
  const byRecovery = { ...typed, code: recoveryCodes?.[0] ?? '', isRecoveryCode: true };
  expect(await hub.run(CompleteSignIn, byRecovery)).toMatchObject({ result: 'Created' });
  // What `reset-administrator --remove-second-factors` calls.
  await hub.as(system, 'users_RemoveSecondFactors', { userId: ann.userId });
  expect((await signIn(hub, email, validPassword)).result).toBe('Created');
});

test('with a new secret key the secret of an authenticator is encrypted again, and one whose key is lost stays as it is', async () => {
  const [lost, old, fresh] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  const rawId = ids.user.raw(ann.userId);
  const place = `totp_factors/${rawId}`;
  const sealedBy = async (key: Buffer) => {
    const { keyId, bytes } = createVault([key]).seal(Buffer.from('the secret'), place);
    await hub.database.db.updateTable('totp_factors').set({ sealed: bytes, sealed_under: keyId }).execute();
  };
  const rotated = createVault([fresh, old]);
  const factor = () => hub.database.db.selectFrom('totp_factors').selectAll().executeTakeFirstOrThrow();
  await sealedBy(old);
  await reencryptTotpSecrets(hub.database.db, rotated);
  const { sealed: bytes, sealed_under: keyId } = await factor();
  expect(keyId).toBe(rotated.keyId);
  expect(createVault([fresh]).open({ keyId, bytes }, place).toString()).toBe('the secret');
  await sealedBy(lost);
  await reencryptTotpSecrets(hub.database.db, rotated);
  expect((await factor()).sealed_under).toBe(createVault([lost]).keyId);
});

/** From now on everyone needs a second factor, without days of grace. */
async function askEveryone(of: Pick<FreshExecutor, 'as'>, admin: Actor): Promise<void> {
  await of.as(admin, 'instance_SetInstanceSettingRaw', { key: 'secondFactorGraceDays', value: '0' });
  await of.as(admin, 'instance_SetInstanceSettingRaw', { key: 'secondFactor', value: 'everyone' });
}

test('a link to set a password leads to the enrolment of a second factor when everyone needs one', async () => {
  await askEveryone(hub, ann);
  const password = 'another harbour lantern 8';
  const { userId } = await hub.user('bea@example.com');
  const { url } = await hub.as(ann, 'users_IssuePasswordLink', { userId });
  const token = new URL(url).searchParams.get('jwt') ?? '';
  await hub.as(system, 'users_SetPasswordByLink', { token, password });
  expect((await trySignIn(hub, 'bea@example.com', password)).result).toBe('EnrolmentWanted');
});

test('so does a registration', async () => {
  await using mails = await mailHub();
  await askEveryone(mails, await mails.user('admin@example.com', { isAdmin: true }));
  await mails.register('ann@example.com');
  await mails.inbox.until(1);
  await mails.mail.sendDue();
  expect(await mails.complete(tokenIn(mails.inbox.mails.at(-1)?.text ?? ''))).toEqual({
    result: 'Completed',
  });
  expect((await trySignIn(mails, 'ann@example.com', validPassword)).result).toBe('EnrolmentWanted');
});

test('so does an account by the link of an invitation, which is accepted after the enrolment', async () => {
  const registration = { isOpen: false, concealsExisting: false, isMailConfigured: false };
  await using mails = await mailHub({ registration });
  const scope = await createInviteScope(mails, 'project');
  const invitationId = await scope.invite(scope.owner, 'bea@example.com');
  await askEveryone(mails, await mails.user('admin@example.com', { isAdmin: true }));
  const link = new URL(await scope.link(scope.owner, invitationId));
  const invitationToken = link.searchParams.get('invitation') ?? '';
  expect(await mails.register('bea@example.com', { invitationToken })).toMatchObject({
    result: 'Created',
    status: { tag: 'Completed' },
  });
  const waits = await trySignIn(mails, 'bea@example.com', validPassword);
  if (waits.result !== 'EnrolmentWanted') throw new Error(waits.result);
  const { pendingToken, userId } = waits;
  const begun = await mails.run(BeginSignInEnrolment, { pendingToken });
  const typed = {
    pendingToken,
    code: authenticatorCode(begun?.secret ?? '', mails.now()),
    isRecoveryCode: false,
  };
  expect(await mails.run(CompleteSignIn, typed)).toMatchObject({ result: 'Created', userId });
  const bea = { actor: 'User', kind: 'User', userId } as const;
  expect(await scope.received(bea)).toMatchObject([{ invitationId }]);
  await scope.on(bea, 'Accept', invitationId);
  expect((await scope.members()).map((member) => member.userId)).toContain(userId);
});
