import { expect, test } from 'vitest';
import { deviceFingerprint, encodeSymbols } from './fingerprint.ts';

test.each([
  ['abc', '6BQUZrqBEiScJvnefdnSDXDBrr6DfPSUiWNNS7wXu5R3'],
  ['', 'bfHieWDWVpvKHqjSMpzD8y1DzfmUwhj3s5VoZMf8HJH9'],
  ['machine-1\n', '1gA6fYZyEEUP2j5ANfZZad6V78tidgSZv71s9yYuDzaF'],
])('the fingerprint of %j is the one that the protocol names', (data, raw) => {
  expect(deviceFingerprint(Buffer.from(data))).toBe(`d_sk_${raw}`);
});

test('no bytes give no symbols', () => {
  expect(encodeSymbols(new Uint8Array())).toBe('');
});
