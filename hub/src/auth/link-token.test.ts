import { randomBytes } from 'node:crypto';
import { SignJWT, UnsecuredJWT } from 'jose';
import { expect, test } from 'vitest';
import { readLinkToken, signLinkToken } from './link-token.ts';
import { newRawId } from './random.ts';

const key = randomBytes(32);
const issuedAt = new Date('2026-11-20T12:00:00Z');
const later = (hours: number) => new Date(issuedAt.getTime() + hours * 3_600_000);
const registrationId = newRawId();

/** A token that is valid except for what the test changes. */
function forged(
  more: { alg?: string; typ?: string; aud?: string; jti?: string; exp?: Date; iat?: Date } = {},
  by: Uint8Array = key,
): Promise<string> {
  const token = new SignJWT()
    .setProtectedHeader({ alg: more.alg ?? 'HS256', typ: more.typ ?? 'activation+jwt' })
    .setIssuedAt(more.iat ?? issuedAt);
  if (more.aud !== '') token.setAudience(more.aud ?? 'activation');
  if (more.jti !== '') token.setJti(more.jti ?? registrationId);
  if (more.exp === undefined || !Number.isNaN(more.exp.getTime()))
    token.setExpirationTime(more.exp ?? later(24));
  return token.sign(by);
}

test('a signed token is valid until it expires', async () => {
  const token = await signLinkToken(key, 'activation', {
    id: registrationId,
    issuedAt,
    expiresAt: later(24),
  });
  expect(await readLinkToken(key, 'activation', token, later(23.99))).toBe(registrationId);
  expect(await readLinkToken(key, 'activation', token, later(24))).toBeUndefined();
  expect(await readLinkToken(key, 'activation', await forged(), later(1))).toBe(registrationId);
});

test.each([
  ['another key', () => forged({}, randomBytes(32))],
  ['another audience', () => forged({ aud: 'proxy' })],
  ['no audience', () => forged({ aud: '' })],
  ['another type', () => forged({ typ: 'JWT' })],
  ['another algorithm', () => forged({ alg: 'HS512' }, Buffer.concat([key, key]))],
  ['no id', () => forged({ jti: '' })],
  ['no expiry', () => forged({ exp: new Date(Number.NaN) })],
  ['too long a lifetime', () => forged({ iat: later(-25), exp: later(48) })],
  ['no signature', async () => new UnsecuredJWT({ aud: 'activation', jti: registrationId }).encode()],
  ['no token', async () => 'x.y.z'],
  ['nothing', async () => ''],
])('a token with %s is invalid', async (_what, make) => {
  expect(await readLinkToken(key, 'activation', await make(), later(1))).toBeUndefined();
});

test('a token with one changed character is invalid', async () => {
  const token = await signLinkToken(key, 'activation', {
    id: registrationId,
    issuedAt,
    expiresAt: later(24),
  });
  const [head = '', body = '', signature = ''] = token.split('.');
  const claims = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), jti: newRawId() };
  const otherBody = Buffer.from(JSON.stringify(claims)).toString('base64url');
  const otherSignature = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
  for (const tampered of [`${head}.${otherBody}.${signature}`, `${head}.${body}.${otherSignature}`])
    expect(await readLinkToken(key, 'activation', tampered, later(1))).toBeUndefined();
});
