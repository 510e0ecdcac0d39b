import { hash, verify } from '@node-rs/argon2';
import { describe, expect, test, vi } from 'vitest';
import { hashPassword, isOutdatedHash, isPassword } from './password.ts';
import { newRandomPassword } from './random-password.ts';

// The real library, with its calls counted.
vi.mock('@node-rs/argon2', { spy: true });

test('a hash is Argon2id with 19 MiB, two passes and one lane, with a new salt each time', async () => {
  const [one, two] = [await hashPassword('a fine password'), await hashPassword('a fine password')];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(isOutdatedHash(one)).toBe(false);
  expect(await isPassword('a fine password', one)).toBe(true);
  expect(await isPassword('a fine password ', one)).toBe(false);
});

test('any number of new passwords leaves threads for sign-ins', async () => {
  const stored = await hashPassword('a fine password');
  const made = Promise.allSettled(Array.from({ length: 90 }, () => hashPassword('another password')));
  const checked = Array.from({ length: 40 }, () => isPassword('a fine password', stored));
  expect(await Promise.all(checked)).toEqual(checked.map(() => true));
  expect((await made).filter(({ status }) => status === 'fulfilled')).toHaveLength(33);
});

test('without a hash no password matches', async () => {
  expect(await isPassword('', undefined)).toBe(false);
  expect(await isPassword('a fine password', undefined)).toBe(false);
});

describe('an unknown user costs as much as a known one', () => {
  test('one hash with the same parameters and lengths is verified', async () => {
    const known = await hashPassword('a fine password');
    const checked = async (storedHash: string | undefined) => {
      vi.mocked(verify).mockClear();
      await isPassword('another password', storedHash);
      return vi.mocked(verify).mock.calls.map(([phc, password]) => [costOf(String(phc)), password]);
    };
    const [ofKnown, ofUnknown] = [await checked(known), await checked(undefined)];
    expect(ofKnown).toHaveLength(1);
    expect(ofUnknown).toEqual(ofKnown);
  });

  /** The parts of a hash that determine how long its verification takes. */
  function costOf(phc: string): unknown {
    const [, algorithm, version, parameters, salt = '', digest = ''] = phc.split('$');
    return { algorithm, version, parameters, saltLength: salt.length, digestLength: digest.length };
  }
});

test.each([{ memoryCost: 8192 }, { timeCost: 3 }, { parallelism: 2 }, { outputLen: 24 }])(
  'a hash made with %j is outdated',
  async (other) => {
    expect(isOutdatedHash(await hash('a fine password', { memoryCost: 19_456, timeCost: 2, ...other }))).toBe(
      true,
    );
  },
);

test('a random password is three groups of six unmistakable symbols', () => {
  const passwords = Array.from({ length: 50 }, newRandomPassword);
  for (const password of passwords)
    expect(password).toMatch(/^([1-9A-HJ-NP-Za-km-z]{6}-){2}[1-9A-HJ-NP-Za-km-z]{6}$/);
  expect(new Set(passwords).size).toBe(50);
});
