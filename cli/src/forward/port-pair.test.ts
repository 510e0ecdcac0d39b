import { expect, test } from 'vitest';
import { parsePortPairs } from './port-pair.ts';

test('a pair of ports is LOCAL:REMOTE', () => {
  expect(parsePortPairs(['8080:80', '0:80', '0:81'])).toEqual([
    { localPort: 8080, devicePort: 80 },
    { localPort: 0, devicePort: 80 },
    { localPort: 0, devicePort: 81 },
  ]);
});

test('a local port is forwarded to one port only', () => {
  expect(() => parsePortPairs(['8080:80', '8080:81'])).toThrow('Port 8080 of this machine is named twice.');
});

test.each(['80', ':80', '80:', '80:0', '70000:80', '80:70000', 'a:b', '1:2:3'])(
  '%s is refused with a sentence',
  (text) => {
    expect(() => parsePortPairs([text])).toThrow(`${text} must be LOCAL:REMOTE, two port numbers`);
  },
);
