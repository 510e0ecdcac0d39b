import { expect, test } from 'vitest';
import { authenticatorCode } from '../../../test/authenticator-code.ts';
import { callUrl } from '../../../test/asset-scene.ts';
import { hubWith } from '../../../test/hub-with-settings.ts';
import { smtpInbox } from '../../../test/smtp-inbox.ts';

const administrator = { email: 'admin@example.org', password: 'gate-latch-and-rail' };

/** A whole hub with a mail server, whose administrator has an authenticator. */
async function scene() {
  const inbox = await smtpInbox();
  const hub = await hubWith({ CORRAL_SMTP_URL: inbox.url, CORRAL_MAIL_FROM: 'no-reply@example.org' });
  const { secret = '' } = await hub.invoke('users_BeginAuthenticatorEnrolment', {});
  const code = (aheadSecs = 0) => authenticatorCode(secret, new Date(Date.now() + aheadSecs * 1000));
  const added = await hub.invoke('users_ConfirmAuthenticatorEnrolment', { code: code() });
  const recoveryCodes = added['recoveryCodes'] as unknown as string[];
  const { actor } = await hub.invoke('actor_GetActor', {});
  const { userId } = actor as unknown as { userId: string };
  const post = async (path: string, body: unknown, cookie = '') => {
    const answer = await callUrl(new URL(path, hub.url).href, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
      body: Buffer.from(JSON.stringify(body)),
    });
    const cookieSet = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    const json = JSON.parse(answer.bytes.toString()) as Record<string, string>;
    return { status: answer.status, cookie: cookieSet, json };
  };
  return {
    ...hub,
    inbox,
    code,
    recoveryCodes,
    userId,
    post,
    /** Types the password, and these codes until one is accepted; whether one was. */
    async signIn(...typed: readonly unknown[]) {
      const { cookie } = await post('/api/private/login', administrator);
      const statuses: number[] = [];
      for (const body of typed) statuses.push((await post('/api/private/login/factor', body, cookie)).status);
      return statuses;
    },
    factors: async () =>
      (await hub.invoke('users_GetSecondFactors', { userId })) as unknown as {
        authenticator: { isLocked: boolean; lastWrongAt?: string };
      },
    /** The text of the newest e-mail, once this many have arrived. */
    async mail(count: number) {
      await inbox.until(count);
      const { headers = {}, text = '' } = inbox.mails[count - 1] ?? {};
      return `${headers['subject']}\n${text}`;
    },
    async [Symbol.asyncDispose]() {
      await hub.stop();
      await inbox[Symbol.asyncDispose]();
    },
  };
}

test('a user is told by e-mail of an authenticator that wrong codes have locked, of each used recovery code and how many are left, and of new ones', async () => {
  await using hub = await scene();
  expect(await hub.mail(1)).toMatch(/^Your account has a second factor/);
  const wrong = Array.from({ length: 10 }, () => ({ code: '000000' }));
  expect(await hub.signIn(...wrong)).toEqual(wrong.map(() => 400));
  expect(await hub.factors()).toMatchObject({ authenticator: { isLocked: true } });
  expect(await hub.mail(2)).toMatch(
    /^Your authenticator was locked\n[^]*Ten wrong codes were typed[^]*\/settings\/security/,
  );
  const [first, second] = hub.recoveryCodes;
  expect(await hub.signIn({ recoveryCode: first })).toEqual([200]);
  expect(await hub.mail(3)).toMatch(/^A recovery code was used\n[^]* 9 are left\./);
  await hub.invoke('users_RenewRecoveryCodes', {});
  expect(await hub.mail(4)).toMatch(/^Your recovery codes were renewed\n/);
  expect(await hub.signIn({ recoveryCode: second })).toEqual([400]);
  expect(hub.inbox.mails).toHaveLength(4);
});

test('a wrong recovery code after the right password is visible to the user afterwards, as a wrong code is', async () => {
  await using hub = await scene();
  expect((await hub.factors()).authenticator.lastWrongAt).toBeUndefined();
  await hub.signIn({ recoveryCode: 'AAAA-AAAA-AAAA-AAAA' });
  expect(await hub.factors()).toMatchObject({
    authenticator: { isLocked: false, lastWrongAt: expect.any(String) },
  });
});

test('the audit log names the user who signed in, and who set up a second factor while signing in', async () => {
  await using hub = await scene();
  await hub.invoke('users_RemoveSecondFactors', { userId: hub.userId });
  await hub.invoke('instance_SetInstanceSettingRaw', { key: 'secondFactorGraceDays', value: '0' });
  await hub.invoke('instance_SetInstanceSettingRaw', { key: 'secondFactor', value: 'everyone' });
  const { cookie } = await hub.post('/api/private/login', administrator);
  const { secret = '' } = (await hub.post('/api/private/login/step', {}, cookie)).json;
  const code = authenticatorCode(secret, new Date());
  expect((await hub.post('/api/private/login/factor', { code }, cookie)).status).toBe(200);
  const { events } = (await hub.invoke('audit_QueryAuditLogEvents', {})) as unknown as {
    events: { event: string; actor: unknown; data: { kind?: string; methods?: string[] } }[];
  };
  const user = { actor: 'User', userId: hub.userId };
  expect(events.find(({ event }) => event === 'users_SecondFactorAdded')).toMatchObject({ actor: user });
  expect(events.filter(({ event }) => event === 'users_SessionInitiated')).toMatchObject([
    { actor: user, data: { methods: ['password', 'totp'] } },
    { actor: user, data: { methods: ['password'] } },
  ]);
});
