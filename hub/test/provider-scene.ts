import { expect, onTestFinished } from 'vitest';
import { openProvider } from '../src/auth/oidc/provider.ts';
import { providerSignIn } from '../src/auth/oidc/provider-sign-in.ts';
import { outgoingRule } from '../src/config/outgoing-addresses.ts';
import { providerCallbackPath, signedOutPage } from '../src/entry/http/provider-sign-in.ts';
import { openOutgoing } from '../src/platform/outgoing/open-outgoing.ts';
import { hostileProvider, type HostileProvider, type Lies } from './hostile-provider.ts';
import { httpHub, type HttpHub, type HttpHubOptions } from './http-hub.ts';
import { testVault } from './test-vault.ts';

/** Of the accounts in these tests. */
export const password = 'correct horse battery';

/** A hub with a provider. */
export interface Scene {
  readonly hub: HttpHub;
  readonly hostile: HostileProvider;
}

/** Starts both for the length of a test. */
export async function scene(lies: Lies = {}): Promise<Scene> {
  const hostile = await hostileProvider(lies);
  const { providerSignIn: signIn, close } = signInAt(hostile);
  const hub = await httpHub({ providerSignIn: signIn });
  onTestFinished(async () => {
    await hub[Symbol.asyncDispose]();
    await close();
  });
  return { hub, hostile };
}

/** What a hub takes to sign people in at a provider, which it waits for so long. */
export function signInAt({ issuer, clientId, clientSecret }: HostileProvider, waitMs = 2_000) {
  const outgoing = openOutgoing({
    rule: outgoingRule([{ place: '127.0.0.1', port: Number(new URL(issuer).port) }]),
    answer: { totalMs: waitMs },
  });
  const settings = { issuer, clientId, clientSecret, scopes: [], groupsClaim: 'groups' };
  const provider = openProvider({ settings, fetch: outgoing.fetch, nowMs: Date.now });
  const signIn: NonNullable<HttpHubOptions['providerSignIn']> = (origin) =>
    providerSignIn({
      provider: () => provider,
      redirectUri: () => `${origin()}${providerCallbackPath}`,
      signedOutUri: () => `${origin()}${signedOutPage}`,
      seal: (text) => testVault.seal(Buffer.from(text), 'flow').bytes.toString('base64url'),
      open: (text) =>
        testVault.open({ keyId: testVault.keyId, bytes: Buffer.from(text, 'base64url') }, 'flow').toString(),
      nowMs: Date.now,
    });
  return { providerSignIn: signIn, close: () => outgoing.close() };
}

const cookieOf = (header: string): string => header.split(';', 1)[0] ?? '';

/** Begins at the hub, signs in at the provider, and is the browser that comes back. */
export async function returning(
  { hub, hostile }: Scene,
  { path = '/api/private/login/provider', body = {}, cookie = '', headers = {} } = {},
) {
  const begun = await hub.post(path, body, { cookie, ...headers });
  expect(begun.status, begun.text).toBe(200);
  const url = new URL(String(begun.json['url']));
  const flow = cookieOf(begun.headers['set-cookie']?.[0] ?? '');
  const back = hostile.authorize(url);
  const come = (cookies: readonly string[] = [flow, cookie]) =>
    hub.call(`${back.pathname}${back.search}`, {
      headers: { 'sec-fetch-site': 'cross-site', cookie: cookies.filter(Boolean).join('; ') },
    });
  return { come, url, flow };
}

/** The session cookie of an answer; empty without one. */
export const sessionOf = (headers: Record<string, unknown>): string =>
  cookieOf(
    [headers['set-cookie'] ?? []]
      .flat()
      .map(String)
      .find((one) => one.startsWith('__Host-session=')) ?? '',
  );
/** Who somebody with a cookie is. */
export const actorOf = async (hub: HttpHub, cookie: string) =>
  (await hub.invoke('actor_GetActor', {}, { cookie })).json['actor'];
/** The linked identities. */
export const links = (hub: HttpHub) => hub.database.db.selectFrom('user_identities').selectAll().execute();
/** The rows of the audit log with a text. */
export const audited = async (hub: HttpHub, name: string) =>
  (await hub.database.db.selectFrom('audit_events').selectAll().execute()).filter((row) =>
    JSON.stringify(row).includes(name),
  );

/** Somebody with an account whose identity is linked. */
export async function linked(parts: Scene, email = 'ann@example.com') {
  const { userId } = await parts.hub.user(email, { password });
  const cookie = await parts.hub.signIn(email, password);
  const { come } = await returning(parts, { path: '/api/private/login/provider/link', cookie });
  const { status, headers } = await come();
  return { userId, cookie, status, location: headers.location };
}
