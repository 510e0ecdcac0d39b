import { afterEach, expect, test } from 'vitest';
import { smtpInbox, type SmtpInbox } from '../../test/smtp-inbox.ts';
import type { Letter } from './letter.ts';
import { smtpServer } from './smtp-server.ts';

const letter: Letter = {
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

test('user and password of the URL sign in, with their signs decoded', async () => {
  inbox = await smtpInbox({ authOptional: false, allowInsecureAuth: true });
  const post = smtpServer({ url: `smtp://hub%40example:p%3A%2Fss@127.0.0.1:${inbox.port}`, from });
  expect(await post.send(letter)).toBe('Sent');
  const [{ user, text, html } = { user: '', text: '', html: '' }] = inbox.mails;
  expect([user, text.trim(), html.trim()]).toEqual(['hub@example', 'Ein Wort: naïve.', '<p>naïve</p>']);
  expect(inbox.passwords).toEqual(['p:/ss']);
});

test('a password does not cross a network in the clear', async () => {
  inbox = await smtpInbox({ authOptional: false, allowInsecureAuth: true });
  // A way to write loopback that only the resolver sees through, as it would a name.
  const post = smtpServer({ url: `smtp://hub:secret@127.1:${inbox.port}`, from });
  await expect(post.send(letter)).rejects.toThrow(/TLS/i);
  expect([inbox.passwords, inbox.mails]).toEqual([[], []]);
});

test('a certificate that nobody vouches for is not trusted', async () => {
  inbox = await smtpInbox({ secure: true });
  const post = smtpServer({ url: `smtps://hub:secret@127.0.0.1:${inbox.port}`, from });
  await expect(post.send(letter)).rejects.toThrow(/certificate/i);
  expect([inbox.passwords, inbox.mails]).toEqual([[], []]);
});

test('a refused recipient is final, a refused sender is not', async () => {
  let isSenderRefused = false;
  inbox = await smtpInbox({
    onMailFrom: (_address, _session, answer) =>
      answer(isSenderRefused ? Object.assign(new Error('no'), { responseCode: 550 }) : null),
  });
  const post = smtpServer({ url: inbox.url, from });
  inbox.refuseRecipients(550);
  expect(await post.send(letter)).toBe('Refused');
  inbox.refuseRecipients(undefined);
  isSenderRefused = true;
  await expect(post.send(letter)).rejects.toThrow('550');
});

test.each(['a,b@example.com', '"x" <y>@example.com', 'a@example.com,b', 'a;b@example.com'])(
  'mail to %s goes to nobody',
  async (to) => {
    inbox = await smtpInbox();
    expect(await smtpServer({ url: inbox.url, from }).send({ ...letter, to })).toBe('Refused');
    expect(inbox.mails).toEqual([]);
  },
);

test.each(["o'neil+tag@example.com", 'jürgen@bücher.example'])('mail to %s goes to it', async (to) => {
  inbox = await smtpInbox();
  expect(await smtpServer({ url: inbox.url, from }).send({ ...letter, to })).toBe('Sent');
  expect(inbox.mails.map((mail) => mail.to.length)).toEqual([1]);
});
