import { afterEach, beforeEach, expect, test } from 'vitest';
import { anonymous } from '../../../../test/fresh-executor.ts';
import { mailHub, type MailHub } from '../../../../test/mail-hub.ts';
import { tokenIn } from '../../../../test/smtp-inbox.ts';

let hub: MailHub;
beforeEach(async () => void (hub = await mailHub()));
afterEach(() => hub[Symbol.asyncDispose]());

const resend = (email: string, ip = '203.0.113.1') =>
  hub.as(anonymous, 'users_ResendRegistrationEmail', { email }, { ip });

test('the link is sent again and is valid for a whole day', async () => {
  await hub.register('ann@example.com');
  await hub.inbox.until(1);
  hub.advance(23 * 3600);
  expect(await resend(' ANN@example.com')).toEqual({});
  await hub.inbox.until(2);
  hub.advance(23 * 3600);
  const [first, second] = hub.inbox.mails.map(({ text }) => tokenIn(text));
  expect(await hub.complete(first!)).toEqual({ result: 'Failed' });
  expect(await hub.complete(second!)).toEqual({ result: 'Completed' });
});

test('pending, existing and unknown addresses get the same answer; only pending ones get an e-mail', async () => {
  await hub.user('owner@example.com');
  for (const email of ['nobody@example.com', 'owner@example.com']) expect(await resend(email)).toEqual({});
  await hub.register('ann@example.com');
  expect(await resend('ann@example.com')).toEqual({});
  await hub.inbox.until(2);
  await hub.mail.sendDue();
  expect(hub.inbox.mails.map(({ to }) => to[0])).toEqual(['ann@example.com', 'ann@example.com']);
});

test('an expired registration gets no new link', async () => {
  await hub.register('ann@example.com');
  await hub.inbox.until(1);
  hub.advance(24 * 3600);
  await resend('ann@example.com');
  await hub.mail.sendDue();
  expect(hub.inbox.mails).toHaveLength(1);
});

test('an address gets 5 e-mails an hour, including the first, from all networks together', async () => {
  await hub.register('ann@example.com');
  for (let n = 1; n <= 7; n += 1) await resend('ann@example.com', `203.0.113.${n}`);
  await hub.inbox.until(5);
  await hub.mail.sendDue();
  expect(hub.inbox.mails).toHaveLength(5);
});
