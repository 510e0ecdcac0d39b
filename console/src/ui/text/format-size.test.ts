import { expect, it } from 'vitest';
import { formatSize } from './format-size.ts';

it('formats sizes in binary units', () => {
  const sizes = [0, 1, 1023, 1024, 1_572_864, 1024 ** 3, 5 * 1024 ** 4];
  expect(sizes.map((bytes) => formatSize(bytes))).toEqual([
    '0 bytes',
    '1 byte',
    '1,023 bytes',
    '1 KiB',
    '1.5 MiB',
    '1 GiB',
    '5 TiB',
  ]);
});
