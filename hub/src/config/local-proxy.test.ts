import { describe, expect, test } from 'vitest';
import { loadConfig, type Config } from './config.ts';
import { proxyWarning } from './local-proxy.ts';

const around = { cwd: '/srv', isRoot: false, hostname: 'barn', isTerminal: false };
const load = (env: Record<string, string> = {}): Config => loadConfig({ ...around, env, argv: [] });

describe('behind a proxy on the same machine', () => {
  const env = { CORRAL_PUBLIC_URL: 'https://hub.example' };

  test('the hub asks whether to believe the certificates that the proxy passes on', () => {
    expect(() => load(env)).toThrow(
      'CORRAL_DEVICE_CERTIFICATE_HEADER: a proxy on this machine serves https://hub.example, and the hub cannot know whether it checks X-Client-Cert. Set CORRAL_TRUSTED_PROXIES to its address if it overwrites this header with the certificate of the device, else CORRAL_DEVICE_CERTIFICATE_HEADER=off.',
    );
    for (const told of ['on', 'off'])
      expect(load({ ...env, CORRAL_DEVICE_CERTIFICATE_HEADER: told }).deviceCertificateHeader).toBe(told);
    expect(load({ ...env, CORRAL_TRUSTED_PROXIES: '127.0.0.1' }).trustedProxies).toEqual(['127.0.0.1']);
    expect(load({ CORRAL_PUBLIC_URL: 'http://localhost:1' }).deviceCertificateHeader).toBe('auto');
  });

  test('the hub asks for a setting that tells its clients apart', () => {
    const warning = (more: Record<string, string>) =>
      proxyWarning(load({ ...env, CORRAL_DEVICE_CERTIFICATE_HEADER: 'off', ...more }));
    expect(warning({})).toMatch(/^CORRAL_TRUSTED_PROXIES is not set/);
    expect(warning({ CORRAL_TRUSTED_PROXIES: '::1' })).toMatch(/^CORRAL_TRUSTED_PROXY_HEADER is not set/);
    expect(warning({ CORRAL_TRUSTED_PROXIES: '::1', CORRAL_TRUSTED_PROXY_HEADER: 'on' })).toBeUndefined();
    expect(proxyWarning(load())).toBeUndefined();
  });

  test('a hub on all addresses asks for the same where something else has its certificate', () => {
    const container = { ...env, CORRAL_HOST: '0.0.0.0', CORRAL_ALLOW_INSECURE_HTTP: 'true' };
    expect(proxyWarning(load(container))).toMatch(/^CORRAL_TRUSTED_PROXIES is not set/);
    expect(proxyWarning(load({ ...container, CORRAL_PUBLIC_URL: 'https://localhost' }))).toMatch(
      /^CORRAL_TRUSTED_PROXIES is not set/,
    );
    expect(proxyWarning({ ...load(container), tls: {} })).toBeUndefined();
    const trusted = { CORRAL_TRUSTED_PROXIES: '10.0.0.1', CORRAL_TRUSTED_PROXY_HEADER: 'on' };
    expect(proxyWarning(load({ ...container, ...trusted }))).toBeUndefined();
    expect(proxyWarning(load({ ...container, CORRAL_PUBLIC_URL: 'http://hub.example' }))).toBeUndefined();
  });
});
