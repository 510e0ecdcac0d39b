import { expect, test } from 'vitest';
import {
  base32,
  newRecoveryCodes,
  normalRecoveryCode,
  stepOfCode,
  totpCode,
  totpStep,
  totpUri,
} from './totp.ts';

const secret = Buffer.from('12345678901234567890');

test.each([
  [0, '755224'],
  [1, '287082'],
  [2, '359152'],
  [3, '969429'],
  [9, '520489'],
])('the code of counter %i is that of RFC 4226', (step, code) => {
  expect(totpCode(secret, step)).toBe(code);
});

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('the code at second %i is that of RFC 6238', (seconds, code) => {
  expect(totpCode(secret, totpStep(new Date(seconds * 1000)))).toBe(code);
});

test('a code is accepted 30 seconds early and late, and no longer at 90', () => {
  const at = new Date('2026-11-20T12:00:15Z');
  const codeAfter = (secs: number) => totpCode(secret, totpStep(new Date(at.getTime() + secs * 1000)));
  expect([-90, -30, 0, 30, 90].map((secs) => stepOfCode(secret, codeAfter(secs), at) !== undefined)).toEqual([
    false,
    true,
    true,
    true,
    false,
  ]);
  expect(stepOfCode(secret, `${codeAfter(0).slice(0, 3)} ${codeAfter(0).slice(3)}`, at)).toBe(totpStep(at));
  expect(['', '12345', '1234567', 'é'.repeat(3)].map((code) => stepOfCode(secret, code, at))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('secrets are written in base32, and the address names hub and account', () => {
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI');
  expect(totpUri(secret, 'hub.example', 'a b@example.org')).toBe(
    'otpauth://totp/hub.example:a%20b%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=hub.example&digits=6&period=30',
  );
});

test('recovery codes are distinct, and may be typed in any way', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  expect(codes[0]).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  expect(normalRecoveryCode('abcd efgh ijkl-mnop')).toBe('ABCDEFGHIJKLMNOP');
});
