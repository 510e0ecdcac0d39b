import { expect, test } from 'vitest';
import { parsePortPair } from './port-pair.ts';

test('a pair of ports is LOCAL:REMOTE', () => {
  expect(parsePortPair('8080:80')).toEqual({ localPort: 8080, devicePort: 80 });
  expect(parsePortPair('0:80')).toEqual({ localPort: 0, devicePort: 80 });
});

test.each(['80', ':80', '80:', '80:0', '70000:80', '80:70000', 'a:b', '1:2:3'])(
  '%s is refused with a sentence',
  (text) => {
    expect(() => parsePortPair(text)).toThrow(`${text} must be LOCAL:REMOTE, two port numbers`);
  },
);
