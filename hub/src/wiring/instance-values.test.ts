import { expect, test } from 'vitest';
import { loadConfig } from '../config/config.ts';
import { instanceSettings } from '../config/instance-settings.ts';
import { valuesOf } from './instance-values.ts';

const definitions = instanceSettings(loadConfig({ env: {}, argv: [] }));
const stored = new Map([
  ['oidcIssuer', 'https://idp.example'],
  ['oidcClientId', 'corral'],
  ['oidcClientSecret', 'secret'],
]);

test('a provider is offered once somebody has signed in with these settings', () => {
  const test = { issuer: 'https://idp.example', client_id: 'corral', tested_at: '2026-11-01T00:00:00Z' };
  const offered = (...changed: Parameters<typeof valuesOf>[2][]) =>
    changed.map((one) => valuesOf(definitions, stored, one).providerName);
  expect(offered(undefined, test, { ...test, client_id: 'old' }, { ...test, issuer: 'https://old' })).toEqual(
    [undefined, 'idp.example', undefined, undefined],
  );
});

test('a provider of the configuration is offered at once, as before an upgrade', () => {
  const env = { CORRAL_OIDC_ISSUER: 'https://idp.example', CORRAL_OIDC_CLIENT_ID: 'corral' };
  const configured = instanceSettings(loadConfig({ env, argv: [] }));
  expect(valuesOf(configured, stored, undefined).providerName).toBe('idp.example');
});
