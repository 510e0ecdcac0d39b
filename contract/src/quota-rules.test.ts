import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  quotaAssetsProblem,
  quotaBytesProblem,
  readCount,
  readSize,
  sizeInWords,
  writeSize,
} from './quota-rules.ts';

test.each([
  ['0', 0],
  ['4096', 4096],
  ['4096 bytes', 4096],
  ['50GiB', 53_687_091_200],
  [' 50 gib ', 53_687_091_200],
  ['1.5 TiB', 1_649_267_441_664],
  ['0.001 KiB', 1],
  ['8191 TiB', 9_006_099_743_113_216],
  ['8192 TiB', undefined],
  ['9007199254740992', undefined],
  ['1.5', undefined],
  ['1.5 bytes', undefined],
  ['50 GB', undefined],
  ['-1 GiB', undefined],
  ['50  GiB', undefined],
  ['1,5 GiB', undefined],
  ['much', undefined],
  ['', undefined],
])('the size %j is %s', (typed, bytes) => {
  expect(readSize(typed)).toBe(bytes);
});

test('a size in words has its largest unit, and a decimal below 100', () => {
  const words = [0, 1, 700, 1024, 10_500_024, 300 * 1024 ** 3, 9_006_099_743_113_216].map(sizeInWords);
  expect(words).toEqual(['0 bytes', '1 byte', '700 bytes', '1.0 KiB', '10.0 MiB', '300 GiB', '8191 TiB']);
});

test('a size is written as it is read', () => {
  expect([0, 1, 1024, 1_610_612_736, 53_687_091_200].map(writeSize)).toEqual([
    '0 bytes',
    '1 bytes',
    '1 KiB',
    '1536 MiB',
    '50 GiB',
  ]);
  fc.assert(fc.property(fc.maxSafeNat(), (bytes) => readSize(writeSize(bytes)) === bytes));
});

test('quotas are numbers, or blank for none', () => {
  expect(['', ' ', '50 GiB'].map(quotaBytesProblem)).toEqual([undefined, undefined, undefined]);
  expect(quotaBytesProblem('50 apples')).toBe('quotaBytesInvalid');
  expect(['', ' 12 ', '0'].map(quotaAssetsProblem)).toEqual([undefined, undefined, undefined]);
  expect(['1.5', '-1', '1e3', '1'.repeat(16)].map(quotaAssetsProblem)).toEqual(
    Array.from({ length: 4 }, () => 'quotaAssetsInvalid'),
  );
  expect(readCount(' 12 ')).toBe(12);
});
