import { expect, onTestFinished, test } from 'vitest';
import { hostileProvider, type HostileProvider, type Lies } from '../../../test/hostile-provider.ts';
import { outgoingRule } from '../../config/outgoing-addresses.ts';
import { openOutgoing } from '../../platform/outgoing/open-outgoing.ts';
import { newFlow, openProvider, type ProviderSettings } from './provider.ts';

const redirectUri = 'https://hub.test/login/callback';

function opened(
  { issuer, clientId, clientSecret }: HostileProvider,
  more: Partial<ProviderSettings> = {},
  nowMs = Date.now,
) {
  const rule = outgoingRule([{ place: '127.0.0.1', port: Number(new URL(issuer).port) }]);
  const outgoing = openOutgoing({ rule, answer: { totalMs: 2_000 } });
  onTestFinished(() => outgoing.close());
  const settings = { issuer, clientId, clientSecret, scopes: ['email'], groupsClaim: 'groups', ...more };
  return openProvider({ settings, fetch: outgoing.fetch, nowMs });
}

/** Signs in at a provider that lies. */
async function signIn(lies: Lies, more: Partial<ProviderSettings> = {}) {
  const hostile = await hostileProvider(lies);
  const provider = opened(hostile, more);
  const flow = newFlow();
  const answered = hostile.authorize(await provider.begin(flow, redirectUri));
  return (await provider.finish(flow, redirectUri, answered.search)).identity;
}

test('somebody signs in, and is issuer and subject; all else is only shown', async () => {
  const hostile = await hostileProvider();
  const provider = opened(hostile);
  const flow = newFlow();
  const url = await provider.begin(flow, redirectUri);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: 'corral',
    redirect_uri: redirectUri,
    response_type: 'code',
    response_mode: 'query',
    scope: 'openid email',
    code_challenge_method: 'S256',
    state: flow.state,
    nonce: flow.nonce,
  });
  const { identity } = await provider.finish(flow, redirectUri, hostile.authorize(url).search);
  expect(identity).toEqual({
    issuer: hostile.issuer,
    subject: 'ann',
    email: 'ann@example.com',
    isEmailVerified: false,
    name: undefined,
    groups: ['admins'],
    providerSessionId: 's1',
    authenticatedAt: undefined,
  });
});

test('the secret of the client reaches providers that decode it, and those that do not', async () => {
  const hostile = await hostileProvider();
  const clientSecret = 'a-secret_of.the~hub';
  const sent: (string | undefined)[] = [];
  const { issuer, clientId } = hostile;
  const settings = { issuer, clientId, clientSecret, scopes: [], groupsClaim: undefined };
  const provider = openProvider({
    settings,
    fetch: async (url, { signal: _signal, ...init }) => {
      sent.push(init.headers['authorization']);
      return fetch(url, { ...init, body: init.body as string });
    },
    nowMs: Date.now,
  });
  const flow = newFlow();
  const url = await provider.begin(flow, redirectUri);
  await provider.finish(flow, redirectUri, hostile.authorize(url).search);
  expect(sent).toContain(`Basic ${btoa(`corral:${clientSecret}`)}`);
});

const nowSecs = Math.floor(Date.now() / 1000);
const lies: Record<string, Lies> = {
  'no state': { answer: { state: undefined } },
  'a foreign state': { answer: { state: 'another' } },
  'a wrong nonce': { claims: { nonce: 'another' } },
  'no nonce': { claims: { nonce: undefined } },
  'another iss parameter': { answer: { iss: 'https://other.example' } },
  'no iss parameter, although promised': { answer: { iss: undefined } },
  'another issuer in the token': { claims: { iss: 'https://other.example' } },
  'another audience': { claims: { aud: 'other' } },
  'several audiences without azp': { claims: { aud: ['corral', 'other'] } },
  'several audiences with a foreign azp': { claims: { aud: ['corral', 'other'], azp: 'other' } },
  'no audience': { claims: { aud: undefined } },
  'an expired token': { claims: { iat: nowSecs - 900, exp: nowSecs - 600 } },
  'a token without expiry': { claims: { exp: undefined } },
  'a token of the future': { claims: { iat: nowSecs + 120 } },
  'no subject': { claims: { sub: undefined } },
  'an empty subject': { claims: { sub: '' } },
  'a subject of 300 characters': { claims: { sub: 'a'.repeat(300) }, userinfo: { sub: 'a'.repeat(300) } },
  'alg none': { signature: 'none' },
  'alg none, announced': {
    signature: 'none',
    discovery: { id_token_signing_alg_values_supported: ['none', 'RS256'] },
  },
  'HS256 with the public key': { signature: 'public-key-as-secret' },
  'HS256 with the public key, announced': {
    signature: 'public-key-as-secret',
    discovery: { id_token_signing_alg_values_supported: ['HS256', 'RS256'] },
  },
  'a signature of a foreign key': { signature: 'foreign-key' },
  'a broken signature': { signature: 'broken' },
  'an unknown key': { signature: 'unknown-kid' },
  'no ID token': { idToken: 'missing' },
  'userinfo of another subject': { userinfo: { sub: 'eve' } },
  'groups in another form': { userinfo: { groups: { admins: true } } },
  'an error with HTML': {
    answer: { code: undefined, error: 'server_error', error_description: '<script>secret words</script>' },
  },
};

test.each(Object.entries(lies))('%s is refused with a calm sentence', async (_name, lie) => {
  const failure = signIn(lie);
  await expect(failure).rejects.toMatchObject({ name: 'OidcRefused' });
  await expect(failure).rejects.toThrow(/^The (?:answer|clock) of the provider [^<]*$/);
});

const transport: Record<string, Lies> = {
  'userinfo of 5 MB': { userinfoBytes: 5_000_000 },
  'a discovery that redirects': { redirects: { '/.well-known/openid-configuration': 'http://127.0.0.1:1/' } },
  'keys that redirect': { redirects: { '/jwks': 'http://127.0.0.1:1/' } },
  'keys at a private address': { discovery: { jwks_uri: 'http://10.0.0.1/jwks' } },
  'keys at another port': { discovery: { jwks_uri: 'http://127.0.0.1:1/jwks' } },
  'a token endpoint inside': { discovery: { token_endpoint: 'http://169.254.169.254/token' } },
  'a token endpoint that never answers': { silent: '/token' },
};

test.each(Object.entries(transport))('%s ends as one that cannot be reached', async (_name, lie) => {
  await expect(signIn(lie)).rejects.toMatchObject({ name: 'OidcRefused', reason: 'Unreachable' });
});

test('a code works once, and only for the flow that it was made in', async () => {
  const hostile = await hostileProvider();
  const provider = opened(hostile);
  const [flow, other] = [newFlow(), newFlow()];
  const { search } = hostile.authorize(await provider.begin(flow, redirectUri));
  await expect(provider.finish(other, redirectUri, search)).rejects.toMatchObject({ reason: 'Invalid' });
  await provider.finish(flow, redirectUri, search);
  await expect(provider.finish(flow, redirectUri, search)).rejects.toMatchObject({ reason: 'Invalid' });
});

test('two flows in parallel both finish', async () => {
  const hostile = await hostileProvider();
  const provider = opened(hostile);
  const flows = [newFlow(), newFlow()];
  const urls = await Promise.all(flows.map((flow) => provider.begin(flow, redirectUri)));
  const finished = await Promise.all(
    flows.map((flow, index) => provider.finish(flow, redirectUri, hostile.authorize(urls[index]!).search)),
  );
  expect(finished.map(({ identity }) => identity.subject)).toEqual(['ann', 'ann']);
});

test('the answer of one provider is none of another', async () => {
  const [first, second] = [await hostileProvider(), await hostileProvider()];
  const flow = newFlow();
  const { search } = second.authorize(await opened(second).begin(flow, redirectUri));
  await expect(opened(first).finish(flow, redirectUri, search)).rejects.toMatchObject({ reason: 'Invalid' });
  expect(first.requests.get('/token')).toBeUndefined();
});

test('an unknown key has the keys read once, and not again for each token', async () => {
  const hostile = await hostileProvider({ signature: 'unknown-kid' });
  const provider = opened(hostile);
  for (let count = 0; count < 5; count += 1) {
    const flow = newFlow();
    const { search } = hostile.authorize(await provider.begin(flow, redirectUri));
    await expect(provider.finish(flow, redirectUri, search)).rejects.toMatchObject({ reason: 'Invalid' });
  }
  expect(hostile.requests.get('/jwks')).toBeLessThanOrEqual(2);
});

test('without a claim of groups nothing is said of them; none is said by an empty list', async () => {
  expect((await signIn({ userinfo: { groups: undefined } })).groups).toBeUndefined();
  expect((await signIn({ userinfo: { groups: [] } })).groups).toEqual([]);
  expect((await signIn({}, { groupsClaim: undefined })).groups).toBeUndefined();
});

test('a sign-in that was cancelled says so', async () => {
  await expect(signIn({ answer: { code: undefined, error: 'access_denied' } })).rejects.toMatchObject({
    reason: 'Denied',
  });
});

test('a discovery of another issuer is refused, and the provider is not asked again for some seconds', async () => {
  const hostile = await hostileProvider({ discovery: { issuer: 'https://other.example' } });
  let nowMs = 0;
  const provider = opened(hostile, {}, () => nowMs);
  const begin = () => provider.begin(newFlow(), redirectUri);
  for (const _time of [1, 2]) await expect(begin()).rejects.toThrow('could not be verified');
  expect(hostile.requests.get('/.well-known/openid-configuration')).toBe(1);
  hostile.lies = {};
  nowMs = 5_000;
  expect((await begin()).origin).toBe(hostile.issuer);
});

test.each<[readonly string[] | undefined, string | undefined, string]>([
  [['openid', 'groups'], 'groups', 'openid email groups'],
  [['openid', 'groups'], undefined, 'openid email'],
  [['openid'], 'groups', 'openid email'],
  [undefined, 'groups', 'openid email'],
  [['roles', 'groups'], 'roles', 'openid email roles'],
])('of a provider with the scopes %j and the claim %s it asks for %s', async (known, groupsClaim, asked) => {
  const hostile = await hostileProvider({ discovery: { scopes_supported: known } });
  const url = await opened(hostile, { groupsClaim }).begin(newFlow(), redirectUri);
  expect(url.searchParams.get('scope')).toBe(asked);
});
