import { describe, expect, test } from 'vitest';
import { writeLetter, type TakenMail } from './write-letter.ts';

const letter = { mailId: '20261120-1200-AAAAAAAA', to: 'ann@example.com', queuedAt: '2026-11-20T12:00:00Z' };
const mails: TakenMail[] = [
  { ...letter, kind: 'Activation', activationToken: 'a.b.c', expiresAt: '2026-11-21T23:59:00Z' },
  { ...letter, kind: 'AddressTaken' },
  { ...letter, kind: 'PasswordChanged' },
];

describe.each(mails)('$kind', (mail) => {
  const written = writeLetter(mail, 'https://hub.example');

  test('has one link, to the public address, alone on a line of its text', () => {
    expect(written.link).toMatch(/^https:\/\/hub\.example\//);
    expect(written.text.split('\n')).toContain(written.link);
    expect([...written.html.matchAll(/<a href="([^"]*)"/g)].map(([, url]) => url)).toEqual([written.link]);
  });

  test('says the same in text and in HTML', () => {
    const sentences = written.text.split('\n\n').filter((line) => !line.startsWith('-- '));
    for (const sentence of sentences) expect(written.html).toContain(sentence.trim());
  });

  test('loads nothing and runs nothing', () => {
    expect(written.html).not.toMatch(/<img|<script|src=|url\(/i);
  });
});

test('an activation says until when it works, in the time of everybody', () => {
  expect(writeLetter(mails[0]!, 'https://hub.example').text).toContain('21 November 2026 at 23:59 UTC');
});

test('signs of the public address mean nothing in HTML', () => {
  expect(writeLetter(mails[1]!, 'https://a&b<c>').html).not.toMatch(/a&b|<c>/);
});
