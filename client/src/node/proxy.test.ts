import { expect, test } from 'vitest';
import { proxyFor } from './proxy.ts';

const HTTPS_PROXY = 'http://proxy.example:3128';
const proxied = (url: string, NO_PROXY: string): boolean =>
  proxyFor(new URL(url), { HTTPS_PROXY, NO_PROXY }) !== undefined;

test.each([
  ['https://10.1.2.3', '10.0.0.0/8'],
  ['https://127.0.0.1:8443', '127.*'],
  ['https://192.168.7.9', 'a, 192.168.*.*'],
  ['https://10.0.0.5', '10.0.0.1-10.0.0.9'],
  ['https://10.0.0.5', '10.0.0.5\r'],
  ['https://[fd00::5]', 'fd00::/8'],
  ['https://[fd00::5]:8443', '[fd00::5]:8443'],
  ['https://[::1]', '::1'],
  ['https://[::1]', '0:0:0:0:0:0:0:1'],
  ['https://hub.example', 'HUB.example'],
  ['https://hub.example.', 'hub.example'],
  ['https://hub.example', 'example'],
  ['https://hub.corp.example', '.corp.example corp'],
  ['https://hub.corp.example', '*.corp.example'],
  ['https://hub.example', 'hub.example:443'],
  ['https://hub.example', '*'],
])('%s is reached without the proxy by NO_PROXY=%s', (url, list) => expect(proxied(url, list)).toBe(false));

test.each([
  ['https://11.1.2.3', '10.0.0.0/8'],
  ['https://10.1.2.3', '10.0.0.0/8x,10.0.0.0/,10.0.0.0/99,/8'],
  ['https://128.0.0.1', '127.*'],
  ['https://12.7.0.1', '127*'],
  ['https://10.0.0.10', '10.0.0.1-10.0.0.9'],
  ['https://[fe00::5]', 'fd00::/8'],
  ['https://hub.example', ''],
  ['https://hub.example', 'ub.example'],
  ['https://hub.example', 'hub.example:8443'],
  ['https://hubxexample.org', 'hub.example.org,hub.*ample.org'],
])('%s goes through the proxy with NO_PROXY=%s', (url, list) => expect(proxied(url, list)).toBe(true));

test.each([
  ['proxy.example:3128', 'http://proxy.example:3128/'],
  ['proxy.example', 'http://proxy.example/'],
  ['name:word@proxy.example:3128', 'http://name:word@proxy.example:3128/'],
  ['//proxy.example:3128', 'http://proxy.example:3128/'],
  ['[::1]:3128', 'http://[::1]:3128/'],
  ['HTTP://proxy.example:3128 \r', 'http://proxy.example:3128/'],
  ['https://proxy.example', 'https://proxy.example/'],
  [' ', undefined],
])('HTTPS_PROXY=%j is %s', (variable, href) => {
  expect(proxyFor(new URL('https://hub.example'), { HTTPS_PROXY: variable })?.href).toBe(href);
});

test.each([
  ['socks5://127.0.0.1:1080', 'HTTPS_PROXY names a proxy for socks5, which is not supported: '],
  ['SOCKS4a://127.0.0.1', 'HTTPS_PROXY names a proxy for SOCKS4a, which is not supported: '],
  ['http://name:secret@', 'HTTPS_PROXY holds no address of a proxy: '],
  ['http://proxy.example:99999', 'HTTPS_PROXY holds no address of a proxy: '],
])('HTTPS_PROXY=%s is refused with a sentence, unless it is not needed', (variable, sentence) => {
  const named = (url: string, env = {}) => proxyFor(new URL(url), { HTTPS_PROXY: variable, ...env });
  expect(() => named('https://hub.example')).toThrow(`${sentence}name an HTTP proxy, such as`);
  expect(named('http://hub.example')).toBeUndefined();
  expect(named('https://hub.example', { NO_PROXY: 'hub.example' })).toBeUndefined();
});
