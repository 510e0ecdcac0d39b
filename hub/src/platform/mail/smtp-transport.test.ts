import { afterEach, expect, test } from 'vitest';
import { smtpInbox, type SmtpInbox } from '../../../test/smtp-inbox.ts';
import type { Email } from './email.ts';
import { smtpTransport } from './smtp-transport.ts';

const email: Email = {
  mailId: '20261120-1200-AAAAAAAA',
  kind: 'AddressTaken',
  to: 'ann@example.com',
  subject: 'Grüße – from the hub',
  text: 'Ein Wort: naïve.\n',
  html: '<p>naïve</p>\n',
  link: 'https://hub.example/login',
  queuedAt: new Date('2026-11-20T12:00:00Z'),
};
const from = 'Corral <no-reply@hub.example>';

let inbox: SmtpInbox;
afterEach(() => inbox[Symbol.asyncDispose]());

test('user and password of the URL are decoded for authentication', async () => {
  inbox = await smtpInbox({ authOptional: false, allowInsecureAuth: true });
  const transport = smtpTransport({ url: `smtp://hub%40example:p%3A%2Fss@127.0.0.1:${inbox.port}`, from });
  expect(await transport.send(email)).toBe('Sent');
  const [{ user, text, html } = { user: '', text: '', html: '' }] = inbox.mails;
  expect([user, text.trim(), html.trim()]).toEqual(['hub@example', 'Ein Wort: naïve.', '<p>naïve</p>']);
  expect(inbox.passwords).toEqual(['p:/ss']);
});

test('a password is not sent without TLS', async () => {
  inbox = await smtpInbox({ authOptional: false, allowInsecureAuth: true });
  // A form of a loopback address that the URL does not show as one, like a name.
  const transport = smtpTransport({ url: `smtp://hub:secret@127.1:${inbox.port}`, from });
  await expect(transport.send(email)).rejects.toThrow(/TLS/i);
  expect([inbox.passwords, inbox.mails]).toEqual([[], []]);
});

test('an untrusted certificate is refused', async () => {
  inbox = await smtpInbox({ secure: true });
  const transport = smtpTransport({ url: `smtps://hub:secret@127.0.0.1:${inbox.port}`, from });
  await expect(transport.send(email)).rejects.toThrow(/certificate/i);
  expect([inbox.passwords, inbox.mails]).toEqual([[], []]);
});

test('a refused recipient is permanent, a refused sender temporary', async () => {
  let isSenderRefused = false;
  inbox = await smtpInbox({
    onMailFrom: (_address, _session, answer) =>
      answer(isSenderRefused ? Object.assign(new Error('no'), { responseCode: 550 }) : null),
  });
  const transport = smtpTransport({ url: inbox.url, from });
  inbox.refuseRecipients(550);
  expect(await transport.send(email)).toBe('Refused');
  inbox.refuseRecipients(undefined);
  isSenderRefused = true;
  await expect(transport.send(email)).rejects.toThrow('550');
});

test.each(['a,b@example.com', '"x" <y>@example.com', 'a@example.com,b', 'a;b@example.com'])(
  'mail to the ambiguous address %s is refused',
  async (to) => {
    inbox = await smtpInbox();
    expect(await smtpTransport({ url: inbox.url, from }).send({ ...email, to })).toBe('Refused');
    expect(inbox.mails).toEqual([]);
  },
);

test.each(["o'neil+tag@example.com", 'jürgen@bücher.example'])('mail to %s is sent', async (to) => {
  inbox = await smtpInbox();
  expect(await smtpTransport({ url: inbox.url, from }).send({ ...email, to })).toBe('Sent');
  expect(inbox.mails.map((mail) => mail.to.length)).toEqual([1]);
});
