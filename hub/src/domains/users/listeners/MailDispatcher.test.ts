import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { system } from '../../../../test/fresh-executor.ts';
import { mailHub, type MailHub } from '../../../../test/mail-hub.ts';
import { auditText, validPassword, signIn } from '../../../../test/test-users.ts';
import { readMail, tokenIn } from '../../../../test/smtp-inbox.ts';
import { outboxTransport } from '../../../platform/mail/outbox-transport.ts';
import { countWaitingMails, queueMail } from '../sql/mail-queue.ts';
import { createInProcessBus } from '../../../platform/events/bus.ts';
import { startMailDispatcher } from './MailDispatcher.ts';
import { TakeDueMail } from '../internal/TakeDueMail.ts';
import { ReportMailOutcome } from '../internal/ReportMailOutcome.ts';
import { CleanupExpiredUserSessions } from '../internal/CleanupExpiredUserSessions.ts';

let hub: MailHub;
beforeEach(async () => void (hub = await mailHub()));
afterEach(() => hub[Symbol.asyncDispose]());

const queued = () => hub.database.db.selectFrom('queued_mails').selectAll().execute();
const sentEvents = () => hub.emittedEvents.filter(({ name }) => name === 'users_RegistrationEmailSent');

test('an e-mail is sent after the commit of its action, and an event is emitted', async () => {
  await hub.register('ann@example.com');
  await hub.inbox.until(1);
  await hub.mail.sendDue();
  expect(sentEvents()).toMatchObject([{ actor: system, data: { email: 'ann@example.com' } }]);
  expect(await queued()).toEqual([]);
});

test('the link leads to the public address in text and HTML', async () => {
  await hub.register('ann@example.com');
  await hub.inbox.until(1);
  const { text, html, headers } = hub.inbox.mails[0]!;
  const link = `https://hub.example/signup/verify?jwt=${tokenIn(text)}`;
  expect(html).toContain(`<a href="${link}"`);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toContain('max-width:600px');
  expect(text).toContain('21 November 2026 at 12:00 UTC');
  expect(headers).toMatchObject({
    subject: 'Confirm your e-mail address',
    from: 'Corral <no-reply@hub.example>',
    to: 'ann@example.com',
    'auto-submitted': 'auto-generated',
  });
  expect(headers['message-id']).toMatch(/^<20261120-1200-\w{8}@hub\.example>$/);
});

test('administrators see the e-mails that could not be sent for a minute', async () => {
  const admin = await hub.user('admin@example.com', { isAdmin: true });
  const ann = await hub.user('ann@example.com');
  const waiting = async () => (await hub.as(admin, 'users_QueryWaitingMails', {})).mails;
  await hub.inbox.stopListening();
  await hub.register('bea@example.com');
  await hub.mail.sendDue();
  expect(await waiting()).toEqual([]);
  hub.advance(60);
  const [mail] = await waiting();
  const { registrations } = await hub.as(admin, 'users_QueryRegistrations', {});
  expect(mail).toEqual({
    mailId: expect.any(String) as string,
    kind: 'Activation',
    email: 'bea@example.com',
    userId: registrations[0]?.userId,
    queuedAt: '2026-11-20T12:00:00Z',
    attempts: 1,
  });
  expect((await hub.refusal(ann, 'users_QueryWaitingMails', {})).kind).toBe('Forbidden');
  await sql`update user_registrations set expires_at = now() - interval '10 years'`.execute(hub.database.db);
  expect(await waiting()).toEqual([]);
});

test('retries back off while the mail server is down, and the e-mail arrives once afterwards', async () => {
  await hub.inbox.stopListening();
  await hub.register('ann@example.com');
  await hub.mail.sendDue();
  expect(await queued()).toMatchObject([{ attempts: 1, next_attempt_at: '2026-11-20T12:00:05Z' }]);
  expect(hub.logged()).toMatch(
    /"nextAttemptAt":"2026-11-20T12:00:05.000Z","msg":"an e-mail could not be sent, and is tried again"/,
  );
  expect(sentEvents()).toEqual([]);
  await hub.mail.sendDue();
  expect(await queued()).toMatchObject([{ attempts: 1 }]);
  hub.advance(5);
  await hub.mail.sendDue();
  expect(await queued()).toMatchObject([{ attempts: 2, next_attempt_at: '2026-11-20T12:00:15Z' }]);
  await hub.inbox.restart();
  hub.advance(10);
  await hub.mail.sendDue();
  await hub.mail.sendDue();
  expect(hub.inbox.mails.map(({ to }) => to)).toEqual([['ann@example.com']]);
  expect([await queued(), sentEvents().length]).toEqual([[], 1]);
  expect(await hub.complete(tokenIn(hub.inbox.mails[0]!.text))).toEqual({ result: 'Completed' });
});

test('waiting e-mails are counted, and those that were tried are counted apart', async () => {
  await hub.inbox.stopListening();
  await hub.register('ann@example.com');
  await hub.mail.sendDue();
  const { db } = hub.database;
  const { user_id: userId } = (await queued())[0]!;
  // In one transaction, so that nobody tries the new one.
  const counts = await db.transaction().execute(async (tx) => {
    for (const kind of ['PasswordChanged', 'AddressTaken'] as const)
      await queueMail(tx, { kind, userId: userId!, now: new Date() });
    return countWaitingMails(tx);
  });
  expect(counts).toEqual({ New: 2, Retrying: 1 });
});

test('after one failure the other e-mails are not tried, and all arrive later', async () => {
  await hub.inbox.stopListening();
  for (const name of ['ann', 'bea', 'cas']) await hub.register(`${name}@example.com`);
  await hub.mail.sendDue();
  await hub.inbox.restart();
  hub.advance(60);
  await hub.mail.sendDue();
  expect(hub.inbox.mails.map(({ to }) => String(to[0])).toSorted()).toEqual([
    'ann@example.com',
    'bea@example.com',
    'cas@example.com',
  ]);
});

/** Queues e-mails to these addresses, one a second, while the mail server is down, and starts it again. */
async function queueWhileDown(...names: string[]): Promise<void> {
  await hub.inbox.stopListening();
  for (const name of names) {
    await hub.register(`${name}@example.com`);
    hub.advance(1);
  }
  await hub.mail.sendDue();
  await hub.inbox.restart();
  hub.advance(60);
}
const attempts = async () =>
  (await queued())
    .toSorted((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at))
    .map(({ attempts: count }) => count);

test('recipients that the mail server puts off hold up no other e-mail', async () => {
  await queueWhileDown('no-1', 'no-2', 'no-3', 'ann');
  expect(await attempts()).toEqual([1, 1, 1, 1]);
  hub.inbox.refuseRecipients(450, /^no-/);
  await hub.mail.sendDue();
  expect(hub.inbox.mails.map(({ to }) => to[0])).toEqual(['ann@example.com']);
  expect(await attempts()).toEqual([2, 2, 2]);
  hub.inbox.refuseRecipients(undefined);
  hub.advance(60);
  await hub.mail.sendDue();
  expect(await queued()).toEqual([]);
});

test('a mail server that ends its service is left alone until the next time', async () => {
  await queueWhileDown('ann', 'bea', 'cas');
  hub.inbox.refuseRecipients(421);
  await hub.mail.sendDue();
  expect(await attempts()).toEqual([2, 1, 1]);
});

test('a permanently refused recipient is discarded, a temporarily refused one retried', async () => {
  hub.inbox.refuseRecipients(550);
  await hub.register('nobody@example.com');
  await hub.mail.sendDue();
  expect([await queued(), sentEvents()]).toEqual([[], []]);
  expect(hub.logged()).toContain('the mail server refused');
  hub.inbox.refuseRecipients(451);
  await hub.register('greylisted@example.com');
  await hub.mail.sendDue();
  expect(await queued()).toMatchObject([{ attempts: 1 }]);
  hub.inbox.refuseRecipients(undefined);
  hub.advance(60);
  await hub.mail.sendDue();
  expect(hub.inbox.mails.map(({ to }) => to[0])).toEqual(['greylisted@example.com']);
});

test('an e-mail that a process took and did not report is sent by another after two minutes, with the same id', async () => {
  await hub.mail.stop();
  await hub.register('ann@example.com');
  const taken = await hub.run(TakeDueMail);
  expect(await hub.run(TakeDueMail)).toBeUndefined();
  hub.advance(119);
  expect(await hub.run(TakeDueMail)).toBeUndefined();
  hub.advance(1);
  const again = await hub.run(TakeDueMail);
  expect(again?.mailId).toBe(taken?.mailId);
});

test('concurrent dispatchers never take the same e-mail', async () => {
  await hub.mail.stop();
  for (const name of ['ann', 'bea', 'cas', 'dan']) await hub.register(`${name}@example.com`);
  const taken = await Promise.all(Array.from({ length: 5 }, () => hub.run(TakeDueMail)));
  const ids = taken.flatMap((one) => (one === undefined ? [] : [one.mailId]));
  expect(new Set(ids).size).toBe(ids.length);
});

test('reporting an outcome twice emits one event', async () => {
  await hub.mail.stop();
  await hub.register('ann@example.com');
  const taken = await hub.run(TakeDueMail);
  if (taken === undefined) throw new Error('nothing was due');
  const report = { mailId: taken.mailId, outcome: 'Sent' } as const;
  for (let n = 0; n < 2; n += 1) expect(await hub.run(ReportMailOutcome, report)).toEqual({});
  expect(sentEvents()).toHaveLength(1);
});

test('an e-mail is discarded after three days', async () => {
  const ann = await hub.user('ann@example.com');
  await hub.inbox.stopListening();
  await hub.as(ann, 'users_SetUserPassword', { userId: ann.userId, password: validPassword });
  await hub.mail.sendDue();
  hub.advance(3 * 24 * 3600);
  await hub.mail.sendDue();
  expect(await queued()).toEqual([]);
  expect(hub.logged()).toContain('discarded');
  await hub.inbox.restart();
});

test('a password change is reported with its time and a link to the tokens', async () => {
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

test('an e-mail to a deleted user is not sent', async () => {
  await hub.mail.stop();
  const ann = await hub.user('ann@example.com');
  await hub.user('admin@example.com', { isAdmin: true });
  await hub.as(ann, 'users_SetUserPassword', { userId: ann.userId, password: validPassword });
  await hub.as(ann, 'users_DeleteUser', { userId: ann.userId });
  expect(await hub.run(TakeDueMail)).toBeUndefined();
  await hub.run(CleanupExpiredUserSessions);
  expect(await queued()).toEqual([]);
});

test('a dispatcher without a database logs a warning and continues later', async () => {
  await hub.inbox.stopListening();
  await hub.register('ann@example.com');
  await hub.mail.sendDue();
  const { db } = hub.database;
  await db.schema.alterTable('queued_mails').renameTo('away').execute();
  await hub.mail.sendDue();
  expect(hub.logged()).toContain('queued e-mails could not be processed');
  await db.schema.alterTable('away').renameTo('queued_mails').execute();
  await hub.inbox.restart();
  hub.advance(60);
  await hub.mail.sendDue();
  expect(hub.inbox.mails).toHaveLength(1);
});

test('an e-mail without an event is found by polling', async () => {
  await hub.mail.stop();
  await hub.register('ann@example.com');
  const { executor, inbox } = hub;
  const bus = createInProcessBus(() => {});
  const sent = Promise.withResolvers<string>();
  const transport = { send: async ({ to }: { to: string }) => (sent.resolve(to), 'Sent' as const) };
  const log = { info() {}, warn() {}, error() {} };
  const parts = { executor, bus, transport, log, publicUrl: inbox.url, pollIntervalMs: 5 };
  const dispatcher = startMailDispatcher(parts);
  expect(await sent.promise).toBe('ann@example.com');
  await dispatcher.stop();
});

test('without a mail server e-mails are written to a private folder, and the log has the link', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'corral-outbox-'));
  const folder = join(dataDir, 'outbox');
  await hub[Symbol.asyncDispose]();
  hub = await mailHub({ transport: (log) => outboxTransport({ folder, from: 'corral@localhost', log }) });
  await hub.register('ann@example.com');
  await hub.mail.sendDue();
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
  await signIn(hub, 'ann@example.com', validPassword);
  await rm(dataDir, { recursive: true });
});

test('a queued e-mail has one recipient', async () => {
  const insert = (kind: string, userId: string | null, invitationId: string | null) =>
    sql`insert into queued_mails (mail_id, kind, user_id, invitation_id, created_at, next_attempt_at)
      values (${kind}, ${kind}, ${userId}, ${invitationId}, now(), now())`.execute(hub.database.db);
  await expect(insert('Invitation', null, null)).rejects.toThrow('queued_mails_recipient_check');
  await expect(insert('Invitation', 'a', 'b')).rejects.toThrow('queued_mails_recipient_check');
});
