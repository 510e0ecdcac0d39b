import { describe, expect, test } from 'vitest';
import { renderEmail, type TakenMail } from './render-email.ts';

const fields = { mailId: '20261120-1200-AAAAAAAA', to: 'ann@example.com', queuedAt: '2026-11-20T12:00:00Z' };
const mails: TakenMail[] = [
  { ...fields, kind: 'Activation', activationToken: 'a.b.c', expiresAt: '2026-11-21T23:59:00Z' },
  {
    ...fields,
    kind: 'Invitation',
    invitedTo: 'Project',
    link: 'https://hub.example/signup?invitation=a.b.c',
    expiresAt: '2026-12-04T12:00:00Z',
  },
  { ...fields, kind: 'AddressTaken' },
  { ...fields, kind: 'PasswordLink', linkToken: 'a.b.c', expiresAt: '2026-11-21T23:59:00Z' },
  { ...fields, kind: 'PasswordChanged' },
  { ...fields, kind: 'FactorLocked' },
  { ...fields, kind: 'RecoveryCodesRenewed' },
  { ...fields, kind: 'RecoveryCodeUsed', codesLeft: 9 },
  {
    ...fields,
    kind: 'TokenExpiring',
    tokenCreatedAt: '2026-01-01T10:00:00Z',
    expiresAt: '2026-12-01T10:00:00Z',
  },
];
const ofService = { ...mails.at(-1)!, repositoryId: 'r_1' } as TakenMail;

describe.each([...mails, ofService])('$kind', (mail) => {
  const email = renderEmail(mail, 'https://hub.example');

  test('has one link to the public address, on its own line in the text', () => {
    expect(email.link).toMatch(/^https:\/\/hub\.example\//);
    expect(email.text.split('\n')).toContain(email.link);
    expect([...email.html.matchAll(/<a href="([^"]*)"/g)].map(([, url]) => url)).toEqual([email.link]);
  });

  test('has the same sentences in text and HTML', () => {
    const sentences = email.text.split('\n\n').filter((line) => !line.startsWith('-- '));
    for (const sentence of sentences) expect(email.html).toContain(sentence.trim());
  });

  test('has no images and no scripts', () => {
    expect(email.html).not.toMatch(/<img|<script|src=|url\(/i);
  });

  test('has colours for dark mail programs, and each colour inline for those that know none', () => {
    expect(email.html).toContain('<meta name="color-scheme" content="light dark">');
    expect(email.html).toContain('@media (prefers-color-scheme: dark)');
    for (const [, style = ''] of email.html.matchAll(
      /class="(?:ink\d?|denim|surface|canvas)"[^>]*style="([^"]*)"/g,
    ))
      expect(style).toMatch(/#[0-9a-f]{6}/);
  });
});

test('an e-mail about a token of a service account leads to where that belongs', () => {
  expect(renderEmail(ofService, 'https://hub.example').link).toBe(
    'https://hub.example/repositories/r_1/settings',
  );
  expect(renderEmail(mails.at(-1)!, 'https://hub.example').link).toBe(
    'https://hub.example/settings/security',
  );
});

test('an activation e-mail states the expiry in UTC', () => {
  expect(renderEmail(mails[0]!, 'https://hub.example').text).toContain('21 November 2026 at 23:59 UTC');
});

test('the public address is escaped in HTML', () => {
  for (const mail of mails)
    expect(renderEmail(mail, 'https://a&b<c>"quoted').html).not.toMatch(/a&b|<c>|"quoted/);
});

test('an e-mail about a used recovery code says how many are left', () => {
  const textOf = (codesLeft: number) =>
    renderEmail({ ...fields, kind: 'RecoveryCodeUsed', codesLeft }, 'https://hub.example').text;
  expect([textOf(2), textOf(1), textOf(0)]).toEqual([
    expect.stringContaining(' 2 are left.'),
    expect.stringContaining(' One is left.'),
    expect.stringContaining(' None is left.'),
  ]);
});
