import { expect, test } from 'vitest';
import { isSameOrigin } from './fetch-site.ts';

test.each([
  ['http://a.devices.example', 'a.devices.example', true],
  ['https://a.devices.example', 'A.Devices.Example', true],
  ['https://a.devices.example', 'a.devices.example:443', true],
  ['https://a.devices.example:8443', 'a.devices.example:8443', true],
  ['https://a.devices.example:8443', 'a.devices.example', true],
  ['https://a.devices.example:8443', 'a.devices.example:9443', false],
  ['https://b.devices.example', 'a.devices.example', false],
  ['https://a.devices.example.evil.example', 'a.devices.example', false],
  ['null', 'a.devices.example', false],
  ['file://a.devices.example', 'a.devices.example', false],
  [undefined, 'a.devices.example', false],
])('origin %s is the same as host %s: %s', (origin, host, isOwn) => {
  expect(isSameOrigin({ origin, host })).toBe(isOwn);
});
