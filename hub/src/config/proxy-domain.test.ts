import { expect, test } from 'vitest';
import { loadConfig } from './config.ts';

const load = (env: Record<string, string>) =>
  loadConfig({ cwd: '/srv', isRoot: false, hostname: 'barn', isTerminal: false, argv: [], env });

test("devices' pages are below proxy.localhost on the hub's own port, or below the configured domain with the public scheme and port", () => {
  const proxyOf = (env: Record<string, string>) =>
    load({ CORRAL_PUBLIC_URL: 'https://hub.example', CORRAL_DEVICE_CERTIFICATE_HEADER: 'off', ...env }).proxy;
  expect(proxyOf({})).toEqual({ domain: 'proxy.localhost', scheme: 'http', port: 8080 });
  expect(proxyOf({ CORRAL_PROXY_DOMAIN: 'Devices.Example' })).toEqual({
    domain: 'devices.example',
    scheme: 'https',
    port: undefined,
  });
  expect(proxyOf({ CORRAL_PROXY_DOMAIN: 'devices.example:8443' }).port).toBe(8443);
  for (const [domain, publicUrl] of [
    ['hub.example', 'https://hub.example'],
    ['proxy.hub.example', 'https://hub.example'],
    ['devices.example', 'https://hub.devices.example'],
  ] as const)
    expect(() => load({ CORRAL_PROXY_DOMAIN: domain, CORRAL_PUBLIC_URL: publicUrl })).toThrow(
      /^CORRAL_PROXY_DOMAIN .* must be separate from the console's host name/,
    );
  for (const domain of [
    'devices',
    'https://devices.example',
    '*.devices.example',
    'devices.example/',
    '.example',
  ])
    expect(() => load({ CORRAL_PROXY_DOMAIN: domain })).toThrow('must be a domain such as devices.example');
});

test('further names of the hub are host names', () => {
  const open = { CORRAL_ALLOW_INSECURE_HTTP: 'true' };
  expect(load({ ...open, CORRAL_HOST_NAMES: 'Hub.lan, gate' }).hostNames).toEqual(['hub.lan', 'gate']);
  expect(() => load({ CORRAL_HOST_NAMES: 'http://hub.lan' })).toThrow('must be host names');
});
