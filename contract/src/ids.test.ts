import fc from 'fast-check';
import { expect, test } from 'vitest';
import { datedRaw, idAlphabet, ids, randomSymbols } from './index.ts';

const fromWebCrypto = (count: number) => crypto.getRandomValues(new Uint8Array(count));

test('the alphabet has 58 symbols, none of them easily confused', () => {
  expect(new Set(idAlphabet).size).toBe(58);
  expect(idAlphabet).not.toMatch(/[0IOl]/);
});

test('random symbols make ids that their kinds accept', () => {
  expect(ids.project.schema.safeParse(ids.project.of(randomSymbols(22, fromWebCrypto))).success).toBe(true);
  expect(ids.userToken.schema.safeParse(ids.userToken.of(randomSymbols(66, fromWebCrypto))).success).toBe(
    true,
  );
});

test('bytes that would favour some symbols are rejected, so that symbols are uniformly random', () => {
  const bytes = [255, 232, 57, 0, 231];
  expect(randomSymbols(3, () => Uint8Array.from(bytes))).toBe('z1z');
});

test('a dated id contains the minute of its creation, in UTC', () => {
  const raw = datedRaw(Date.UTC(2026, 10, 20, 18, 25, 59), fromWebCrypto);
  expect(raw).toMatch(/^20261120-1825-.{8}$/);
  expect(ids.deviceEvent.schema.safeParse(ids.deviceEvent.of(raw)).success).toBe(true);
});

test('an id of one kind is not valid for another kind', () => {
  const raw = randomSymbols(22, fromWebCrypto);
  expect(ids.device.schema.safeParse(ids.deviceCertificate.of(raw)).success).toBe(false);
  expect(ids.user.schema.safeParse(ids.userTokenId.of(raw)).success).toBe(false);
});

test('removing the tag is the inverse of adding it', () => {
  fc.assert(
    fc.property(fc.string(), (raw) => ids.deploymentTokenId.raw(ids.deploymentTokenId.of(raw)) === raw),
  );
});
