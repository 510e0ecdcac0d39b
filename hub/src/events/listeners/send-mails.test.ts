import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { system } from '../../../test/fresh-executor.ts';
import { mailHub, type MailHub } from '../../../test/mail-hub.ts';
import { auditText, goodPassword, signIn } from '../../../test/people.ts';
import { readMail, tokenIn } from '../../../test/smtp-inbox.ts';
import { outboxFolder } from '../../mail/outbox-folder.ts';
import { createInProcessBus } from '../bus.ts';
import { sendMails } from './send-mails.ts';

let hub: MailHub;
beforeEach(async () => void (hub = await mailHub()));
afterEach(() => hub[Symbol.asyncDispose]());

const queued = () => hub.database.db.selectFrom('queued_mails').selectAll().execute();
const sentEvents = () => hub.happened.filter(({ name }) => name === 'users_RegistrationEmailSent');

test('an e-mail sets out by itself once its action has committed, and is told of once it was taken', async () => {
  await hub.register('ann@example.com');
  await hub.inbox.until(1);
  await hub.courier.wake();
  expect(sentEvents()).toMatchObject([{ actor: system, data: { email: 'ann@example.com' } }]);
  expect(await queued()).toEqual([]);
});

test('the link leads to the public address, in the text as in the HTML', async () => {
  await hub.register('ann@example.com');
  await hub.inbox.until(1);
  const { text, html, headers } = hub.inbox.mails[0]!;
  const link = `https://hub.example/signup/verify?jwt=${tokenIn(text)}`;
  expect(html).toContain(`<a href="${link}"`);
  expect(text).toContain('21 November 2026 at 12:00 UTC');
  expect(headers).toMatchObject({
    subject: 'Confirm your e-mail address',
    from: 'Corral <no-reply@hub.example>',
    to: 'ann@example.com',
    'auto-submitted': 'auto-generated',
  });
  expect(headers['message-id']).toMatch(/^<20261120-1200-\w{8}@hub\.example>$/);
});

test('while the mail server is away an e-mail waits ever longer, and arrives once when it is back', async () => {
  await hub.inbox.goAway();
  await hub.register('ann@example.com');
  await hub.courier.wake();
  expect(await queued()).toMatchObject([{ attempts: 1, next_attempt_at: '2026-11-20T12:00:05Z' }]);
  expect(hub.logged()).toContain('an e-mail could not be sent');
  expect(sentEvents()).toEqual([]);
  await hub.courier.wake();
  expect(await queued()).toMatchObject([{ attempts: 1 }]);
  hub.advance(5);
  await hub.courier.wake();
  expect(await queued()).toMatchObject([{ attempts: 2, next_attempt_at: '2026-11-20T12:00:15Z' }]);
  await hub.inbox.comeBack();
  hub.advance(10);
  await hub.courier.wake();
  await hub.courier.wake();
  expect(hub.inbox.mails.map(({ to }) => to)).toEqual([['ann@example.com']]);
  expect([await queued(), sentEvents().length]).toEqual([[], 1]);
  expect(await hub.complete(tokenIn(hub.inbox.mails[0]!.text))).toEqual({ result: 'Completed' });
});

test('while one e-mail waits for the server the others are not tried in vain, and all arrive', async () => {
  await hub.inbox.goAway();
  for (const name of ['ann', 'bea', 'cas']) await hub.register(`${name}@example.com`);
  await hub.courier.wake();
  await hub.inbox.comeBack();
  hub.advance(60);
  await hub.courier.wake();
  expect(hub.inbox.mails.map(({ to }) => String(to[0])).toSorted()).toEqual([
    'ann@example.com',
    'bea@example.com',
    'cas@example.com',
  ]);
});

test('a recipient that the server refuses for good is given up, for now is tried again', async () => {
  hub.inbox.refuseRecipients(550);
  await hub.register('nobody@example.com');
  await hub.courier.wake();
  expect([await queued(), sentEvents()]).toEqual([[], []]);
  expect(hub.logged()).toContain('refused by the mail server');
  hub.inbox.refuseRecipients(451);
  await hub.register('greylisted@example.com');
  await hub.courier.wake();
  expect(await queued()).toMatchObject([{ attempts: 1 }]);
  hub.inbox.refuseRecipients(undefined);
  hub.advance(60);
  await hub.courier.wake();
  expect(hub.inbox.mails.map(({ to }) => to[0])).toEqual(['greylisted@example.com']);
});

test('what a process took and did not report is sent by another after two minutes, under the same name', async () => {
  await hub.courier.stop();
  await hub.register('ann@example.com');
  const taken = await hub.as(system, 'mail_TakeDueMail', {});
  expect(await hub.as(system, 'mail_TakeDueMail', {})).toEqual({ result: 'None' });
  hub.advance(119);
  expect(await hub.as(system, 'mail_TakeDueMail', {})).toEqual({ result: 'None' });
  hub.advance(1);
  const again = await hub.as(system, 'mail_TakeDueMail', {});
  expect(again).toMatchObject({ mail: { mailId: (taken as { mail: { mailId: string } }).mail.mailId } });
});

test('two couriers never take the same e-mail', async () => {
  await hub.courier.stop();
  for (const name of ['ann', 'bea', 'cas', 'dan']) await hub.register(`${name}@example.com`);
  const taken = await Promise.all(Array.from({ length: 5 }, () => hub.as(system, 'mail_TakeDueMail', {})));
  const ids = taken.flatMap((one) => (one.result === 'Taken' ? [one.mail.mailId] : []));
  expect(new Set(ids).size).toBe(ids.length);
});

test('reporting twice tells of one e-mail', async () => {
  await hub.courier.stop();
  await hub.register('ann@example.com');
  const taken = await hub.as(system, 'mail_TakeDueMail', {});
  if (taken.result !== 'Taken') throw new Error('nothing was due');
  const report = { mailId: taken.mail.mailId, outcome: 'Sent' } as const;
  for (let n = 0; n < 2; n += 1) expect(await hub.as(system, 'mail_ReportMailOutcome', report)).toEqual({});
  expect(sentEvents()).toHaveLength(1);
});

test('after three days an e-mail is given up', async () => {
  const ann = await hub.user('ann@example.com');
  await hub.inbox.goAway();
  await hub.as(ann, 'users_SetUserPassword', { userId: ann.userId, password: goodPassword });
  await hub.courier.wake();
  hub.advance(3 * 24 * 3600);
  await hub.courier.wake();
  expect(await queued()).toEqual([]);
  expect(hub.logged()).toContain('given up');
  await hub.inbox.comeBack();
});

test('whose password is changed is told, with when and what to look at', async () => {
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  const ann = await hub.user('ann@example.com');
  await hub.as(admin, 'users_SetUserPassword', { userId: ann.userId, password: 'canary in the mine' });
  await hub.inbox.until(1);
  const { to, headers, text } = hub.inbox.mails[0]!;
  expect([to, headers['subject']]).toEqual([['ann@example.com'], 'Your password was changed']);
  expect(text).toContain('was changed on 20 November 2026 at 12:00 UTC');
  expect(text).toContain('https://hub.example/settings/security');
  expect(text).not.toContain('canary');
});

test('an e-mail to somebody who is gone meanwhile is not sent', async () => {
  await hub.courier.stop();
  const ann = await hub.user('ann@example.com');
  await hub.user('admin@example.com', { isAdmin: true });
  await hub.as(ann, 'users_SetUserPassword', { userId: ann.userId, password: goodPassword });
  await hub.as(ann, 'users_DeleteUser', { userId: ann.userId });
  expect(await hub.as(system, 'mail_TakeDueMail', {})).toEqual({ result: 'None' });
  await hub.as(system, 'users_CleanupExpiredUserSessions', {});
  expect(await queued()).toEqual([]);
});

test('a courier that cannot reach the database says so and goes on later', async () => {
  await hub.inbox.goAway();
  await hub.register('ann@example.com');
  await hub.courier.wake();
  const { db } = hub.database;
  await db.schema.alterTable('queued_mails').renameTo('away').execute();
  await hub.courier.wake();
  expect(hub.logged()).toContain('e-mails cannot be looked after now');
  await db.schema.alterTable('away').renameTo('queued_mails').execute();
  await hub.inbox.comeBack();
  hub.advance(60);
  await hub.courier.wake();
  expect(hub.inbox.mails).toHaveLength(1);
});

test('what nobody announced is found by looking', async () => {
  await hub.courier.stop();
  await hub.register('ann@example.com');
  const { executor, inbox } = hub;
  const bus = createInProcessBus(() => {});
  const sent = Promise.withResolvers<string>();
  const post = { send: async ({ to }: { to: string }) => (sent.resolve(to), 'Sent' as const) };
  const log = { info() {}, warn() {}, error() {} };
  const parts = { executor, bus, post, log, publicUrl: inbox.url, lookEveryMs: 5 };
  const courier = sendMails(parts);
  expect(await sent.promise).toBe('ann@example.com');
  await courier.stop();
});

test('without a mail server the e-mails lie in a folder for the hub alone, and the log says where and leads on', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'corral-outbox-'));
  const folder = join(dataDir, 'outbox');
  await hub[Symbol.asyncDispose]();
  hub = await mailHub({ post: (log) => outboxFolder({ folder, from: 'corral@localhost', log }) });
  await hub.register('ann@example.com');
  await hub.courier.wake();
  const [name = '', ...others] = await readdir(folder);
  expect([name, others]).toEqual([expect.stringMatching(/^20261120-1200-\w{8}\.eml$/), []]);
  const modes = [(await stat(folder)).mode, (await stat(join(folder, name))).mode].map(
    (mode) => mode & 0o777,
  );
  expect(modes).toEqual([0o700, 0o600]);
  const { headers, text } = readMail(await readFile(join(folder, name), 'utf8'));
  expect(headers).toMatchObject({ to: 'ann@example.com', from: 'corral@localhost' });
  const line = JSON.parse(
    hub
      .logged()
      .split('\n')
      .find((one) => one.includes('outbox')) ?? '{}',
  );
  expect(line).toMatchObject({ folder: join(folder, name), kind: 'Activation' });
  expect(line.url).toBe(`https://hub.example/signup/verify?jwt=${tokenIn(text)}`);
  expect(await auditText(hub)).not.toContain(tokenIn(text));
  expect(await hub.complete(new URL(line.url).searchParams.get('jwt') ?? '')).toEqual({
    result: 'Completed',
  });
  await signIn(hub, 'ann@example.com', goodPassword);
  await rm(dataDir, { recursive: true });
});
