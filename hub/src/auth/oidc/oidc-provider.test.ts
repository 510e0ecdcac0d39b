import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import { expect, onTestFinished, test } from 'vitest';
import { outgoingRule } from '../../config/outgoing-addresses.ts';
import { openOutgoing } from '../../platform/outgoing/open-outgoing.ts';
import { newFlow, openProvider } from './provider.ts';

const redirectUri = 'https://hub.test/api/private/login/callback';

/** The certified provider of panva, at which everybody has an account. */
async function certifiedProvider(): Promise<string> {
  const server = createServer((request, response) => void provider.callback()(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'corral', client_secret: 'secret of the hub', redirect_uris: [redirectUri] }],
    cookies: { keys: ['for the test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'email', 'groups'],
    findAccount: (_context, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@example.com`, email_verified: true, groups: ['admins'] }),
    }),
  });
  return issuer;
}

/** A browser that signs in and consents, until it is sent back to the hub. */
async function signInAt(start: URL, name: string): Promise<URL> {
  const cookies = new Map<string, string>();
  const go = async (url: URL, form?: Record<string, string>): Promise<URL> => {
    const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]*)=([^;]*)/.exec(set) ?? [];
      cookies.set(key, value);
    }
    const location = response.headers.get('location');
    return location === null ? url : new URL(location, url);
  };
  let url = start;
  for (let step = 0; step < 12 && url.origin === start.origin; step += 1) {
    if (!url.pathname.startsWith('/interaction/')) url = await go(url);
    else if (cookies.has('signed-in')) url = await go(url, { prompt: 'consent' });
    else {
      cookies.set('signed-in', 'yes');
      url = await go(url, { prompt: 'login', login: name, password: 'any' });
    }
  }
  return url;
}

test('somebody signs in at a certified provider', async () => {
  const issuer = await certifiedProvider();
  const outgoing = openOutgoing({
    rule: outgoingRule([{ place: '127.0.0.1', port: Number(new URL(issuer).port) }]),
  });
  onTestFinished(() => outgoing.close());
  const settings = {
    issuer,
    clientId: 'corral',
    clientSecret: 'secret of the hub',
    scopes: ['email', 'groups'],
    groupsClaim: 'groups',
  };
  const provider = openProvider({ settings, fetch: outgoing.fetch, nowMs: Date.now });
  const flow = newFlow();
  const back = await signInAt(await provider.begin(flow, redirectUri), 'ann');
  expect(`${back.origin}${back.pathname}`).toBe(redirectUri);
  expect((await provider.finish(flow, redirectUri, back.search)).identity).toMatchObject({
    issuer,
    subject: 'ann',
    email: 'ann@example.com',
    isEmailVerified: true,
    groups: ['admins'],
  });
});
