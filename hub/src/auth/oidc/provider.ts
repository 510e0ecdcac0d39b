import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from 'jose';
import * as client from 'openid-client';
import { clientSecretBasic } from './client-secret-basic.ts';
import { OidcRefused } from './OidcRefused.ts';

/** Where people sign in, and as whom the hub asks there. */
export interface ProviderSettings {
  /** As the provider writes it in its tokens. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The scopes besides `openid`. */
  readonly scopes: readonly string[];
  /** The claim with the groups of a person; undefined for none. */
  readonly groupsClaim: string | undefined;
}

/** A sign-in that has begun; the hub keeps it until the answer, bound to the browser. */
export interface Flow {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** Since when the answer must prove who somebody is, in seconds; undefined: a session at the provider will do. */
  readonly provedSinceSecs?: number;
}

/** Who somebody is at a provider. The key is issuer and subject; the rest is only shown, and may be another's. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** Whether the provider says that the address was verified. */
  readonly isEmailVerified: boolean;
  readonly name: string | undefined;
  /** Undefined: the provider says nothing of groups, which changes nothing. */
  readonly groups: readonly string[] | undefined;
  /** The session at the provider, which it may end. */
  readonly providerSessionId: string | undefined;
  /** When they last proved there who they are; undefined: the provider does not say. */
  readonly authenticatedAt: Date | undefined;
}

/** An answer that was checked. */
export interface Answered {
  readonly identity: Identity;
  /** As the provider signed it; by it the provider knows later whom to sign out. */
  readonly idToken: string;
}

/** Whose sessions the provider has ended. */
export interface ProviderLogout {
  readonly issuer: string;
  /** Each token counts once. */
  readonly tokenId: string;
  readonly issuedAt: Date;
  readonly subject: string | undefined;
  readonly providerSessionId: string | undefined;
}

/** The provider of identities of the instance. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  /** Where to send the browser. */
  begin(flow: Flow, redirectUri: string): Promise<URL>;
  /** Checks the answer, as the query of the redirect URI. Rejects with OidcRefused. */
  finish(flow: Flow, redirectUri: string, query: string): Promise<Answered>;
  /** Where to send the browser to sign out there; undefined if the provider has no such place. Some ask nothing, or show nothing at all, without the token of the sign-in. */
  signOut(returnTo: string, idToken: string | undefined): Promise<URL | undefined>;
  /** Whether a token was signed in with by this subject; its signature was checked when it came. */
  isOfSubject(idToken: string, subject: string): boolean;
  /** Whether a text has the form of a logout token of this provider for the hub; whoever signed it. */
  isLogoutToken(token: string): boolean;
  /** Checks a logout token (OpenID Connect Back-Channel Logout). Rejects with OidcRefused. */
  readLogoutToken(token: string): Promise<ProviderLogout>;
}

type Fetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body: string | URLSearchParams | Uint8Array | null | undefined;
    readonly signal: AbortSignal | undefined;
  },
) => Promise<Response>;

interface Parts {
  readonly settings: ProviderSettings;
  /** The guarded one of the hub: bounded, without redirects. */
  readonly fetch: Fetch;
  readonly nowMs: () => number;
}

const rereadMs = 3_600_000;
/** For so long a provider that did not answer is not asked again. */
const retryMs = 5_000;
const longestSubject = 255;
const longestText = 256;
const mostGroups = 1_000;
/** How far the clock of a provider may be off the hub's. */
const clockOffSecs = 60;
/** How old a logout token may be. */
export const longestLogoutSecs = 600;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';
/** None with a shared secret: the public key could pass for it. */
const signingAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Random values for a sign-in that begins. */
export function newFlow(): Flow {
  return {
    state: client.randomState(),
    nonce: client.randomNonce(),
    codeVerifier: client.randomPKCECodeVerifier(),
  };
}

/** Opens a provider; it is first asked when somebody signs in, so that a hub starts without it. */
export function openProvider(parts: Parts): Provider {
  const discovered = keptFor(parts.nowMs, async () => {
    const configuration = await discover(parts);
    return { configuration, keys: keysOf(parts, configuration) };
  });
  const configured = async (): Promise<client.Configuration> => (await discovered()).configuration;
  return {
    issuer: parts.settings.issuer,
    clientId: parts.settings.clientId,
    begin: (flow, redirectUri) =>
      refusing(async () => {
        const configuration = await configured();
        return client.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          response_mode: 'query',
          scope: scopesOf(parts.settings, configuration).join(' '),
          state: flow.state,
          nonce: flow.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(flow.codeVerifier),
          code_challenge_method: 'S256',
          // Some providers refuse a max_age of 0.
          ...(flow.provedSinceSecs === undefined ? {} : { max_age: '1', prompt: 'login' }),
        });
      }),
    finish: (flow, redirectUri, query) =>
      refusing(async () => finishSignIn(parts, await configured(), { flow, redirectUri, query })),
    signOut: (returnTo, idToken) =>
      refusing(async () => endSessionUrl(await configured(), returnTo, idToken)),
    isOfSubject: (idToken, subject) => {
      const { iss, aud, sub } = decodeJwt(idToken);
      const { issuer, clientId } = parts.settings;
      return iss === issuer && sub === subject && [aud].flat().includes(clientId);
    },
    isLogoutToken: (token) => isForHub(parts, token),
    readLogoutToken: (token) =>
      refusing(async () => logoutOf(parts, await verified(parts, (await discovered()).keys, token))),
  };
}

/** Shares an answer while it is fresh, and a failure for some seconds. */
function keptFor<Result>(nowMs: () => number, ask: () => Promise<Result>): () => Promise<Result> {
  let last: { readonly answer: Promise<Result>; untilMs: number } | undefined;
  return () => {
    if (last !== undefined && nowMs() < last.untilMs) return last.answer;
    const asked = { answer: ask(), untilMs: nowMs() + rereadMs };
    last = asked;
    asked.answer.catch(() => (asked.untilMs = nowMs() + retryMs));
    return asked.answer;
  };
}

/** Many providers give groups for the scope of that name, and others refuse a scope that they do not know. */
function scopesOf({ scopes, groupsClaim }: ProviderSettings, configuration: client.Configuration): string[] {
  const known = configuration.serverMetadata().scopes_supported ?? [];
  const ofGroups = groupsClaim !== undefined && known.includes(groupsClaim) ? [groupsClaim] : [];
  return [...new Set(['openid', ...scopes, ...ofGroups])];
}

async function discover({ settings, fetch }: Parts): Promise<client.Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  const server = new URL(issuer);
  return client.discovery(server, clientId, undefined, clientSecretBasic(clientId, clientSecret), {
    // The token of the token endpoint is checked as well, whatever the transport was.
    execute: [
      client.enableNonRepudiationChecks,
      ...(server.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ],
    [client.customFetch]: (url, init) =>
      fetch(url, {
        method: init.method,
        headers: init.headers,
        body: init.body as string | URLSearchParams | Uint8Array | null | undefined,
        signal: init.signal,
      }),
  });
}

async function finishSignIn(
  { settings, nowMs }: Parts,
  configuration: client.Configuration,
  { flow, redirectUri, query }: { readonly flow: Flow; readonly redirectUri: string; readonly query: string },
): Promise<Answered> {
  // Behind a proxy the URL of the request is another one than the redirect URI.
  const answered = new URL(redirectUri);
  answered.search = query;
  const tokens = await client.authorizationCodeGrant(configuration, answered, {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined || tokens.id_token === undefined) throw new OidcRefused('Invalid');
  if (claims.iat > nowMs() / 1000 + clockOffSecs) throw new OidcRefused('Clock');
  const provedAtSecs = provedAtOf(claims, nowMs());
  // Some providers take no notice of max_age, and lead back who has a session there; the clocks of others are late.
  if (flow.provedSinceSecs !== undefined && !((provedAtSecs ?? 0) >= flow.provedSinceSecs - clockOffSecs))
    throw new OidcRefused('NotProved');
  const info = await userInfo(configuration, tokens.access_token, claims.sub);
  return {
    identity: { ...identityOf(settings, claims, info), authenticatedAt: dateOf(provedAtSecs) },
    idToken: tokens.id_token,
  };
}

/** When somebody proved at the provider who they are, in seconds; a time to come, such as one in milliseconds, says nothing of that. */
function provedAtOf({ auth_time: authTime }: client.IDToken, nowMs: number): number | undefined {
  return authTime !== undefined && authTime <= nowMs / 1000 + clockOffSecs ? authTime : undefined;
}

const dateOf = (secs: number | undefined): Date | undefined =>
  secs === undefined ? undefined : new Date(secs * 1000);

function endSessionUrl(
  configuration: client.Configuration,
  returnTo: string,
  idToken: string | undefined,
): URL | undefined {
  if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
  return client.buildEndSessionUrl(configuration, {
    post_logout_redirect_uri: returnTo,
    ...(idToken === undefined ? {} : { id_token_hint: idToken }),
  });
}

/** The keys of the provider, read again for a key that is unknown, at most twice a minute. */
function keysOf({ fetch }: Parts, configuration: client.Configuration): JWTVerifyGetKey {
  const { jwks_uri: address } = configuration.serverMetadata();
  if (address === undefined) throw new OidcRefused('Invalid');
  return createRemoteJWKSet(new URL(address), {
    [customFetch]: (url, { headers, method, signal }) =>
      fetch(url, { method, headers: Object.fromEntries(headers), body: undefined, signal }),
  });
}

async function verified(
  { settings, nowMs }: Parts,
  keys: JWTVerifyGetKey,
  token: string,
): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, keys, {
    issuer: settings.issuer,
    audience: settings.clientId,
    algorithms: signingAlgorithms,
    clockTolerance: clockOffSecs,
    maxTokenAge: longestLogoutSecs,
    currentDate: new Date(nowMs()),
    requiredClaims: ['iat', 'jti', 'events'],
  });
  return payload;
}

function isForHub(parts: Parts, token: string): boolean {
  try {
    const payload = decodeJwt(token);
    logoutOf(parts, payload);
    return payload.iss === parts.settings.issuer && [payload.aud].flat().includes(parts.settings.clientId);
  } catch {
    return false;
  }
}

/** What a logout token says. A token of a sign-in is none: it has no such event, and a nonce. */
function logoutOf(
  { settings: { issuer } }: Parts,
  { iat = 0, jti, events, ...claims }: JWTPayload,
): ProviderLogout {
  const event = (events as Readonly<Record<string, unknown>> | null)?.[logoutEvent];
  const isLogout = typeof event === 'object' && event !== null && !Array.isArray(event);
  const [tokenId, subject, providerSessionId] = [textOf(jti), textOf(claims.sub), textOf(claims['sid'])];
  const names = subject !== undefined || providerSessionId !== undefined;
  if (!isLogout || !names || tokenId === undefined || claims['nonce'] !== undefined)
    throw new OidcRefused('Invalid');
  return { issuer, tokenId, issuedAt: new Date(iat * 1000), subject, providerSessionId };
}

async function userInfo(
  configuration: client.Configuration,
  accessToken: string,
  subject: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  return client.fetchUserInfo(configuration, accessToken, subject);
}

type Claims = Readonly<Record<string, unknown>>;

function identityOf(
  { issuer, groupsClaim }: ProviderSettings,
  idToken: client.IDToken,
  info: Claims,
): Omit<Identity, 'authenticatedAt'> {
  const { sub } = idToken;
  const claims: Claims = { ...info, ...idToken };
  if (sub === '' || sub.length > longestSubject) throw new OidcRefused('Invalid');
  return {
    issuer,
    subject: sub,
    email: textOf(claims['email']),
    isEmailVerified: isVerified(claims, [idToken, info]),
    name: textOf(claims['name']) ?? textOf(claims['preferred_username']),
    groups: groupsClaim === undefined ? undefined : groupsOf(claims[groupsClaim]),
    providerSessionId: textOf(claims['sid']),
  };
}

/** Whether a source of an address says itself that it is verified: the other one may have another address. */
function isVerified({ email, email_verified: said }: Claims, sources: readonly Claims[]): boolean {
  return said === true && sources.some((one) => one['email'] === email && one['email_verified'] === true);
}

function textOf(value: unknown): string | undefined {
  const isText = typeof value === 'string' && value !== '' && value.length <= longestText;
  return isText && !/\p{C}/u.test(value) ? value : undefined;
}

/** A claim that is there in another form than a list of texts is refused: to take it for no groups would take rights away. */
function groupsOf(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  const list = typeof value === 'string' ? [value] : value;
  const isList =
    Array.isArray(list) && list.length <= mostGroups && list.every((one) => typeof one === 'string');
  if (!isList) throw new OidcRefused('Invalid');
  return list;
}

/** Has every failure be one class: what a provider says may be that of an attacker, so nobody is shown it. */
async function refusing<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof OidcRefused) throw error;
    throw new OidcRefused(reasonOf(error), { cause: error });
  }
}

function reasonOf(error: unknown): OidcRefused['reason'] {
  if (error instanceof client.AuthorizationResponseError)
    return error.error === 'access_denied' ? 'Denied' : 'Invalid';
  const isOfTransport = causes(error).some(({ name }) => name === 'OutgoingError');
  return isOfTransport ? 'Unreachable' : 'Invalid';
}

function causes(error: unknown): Error[] {
  if (!(error instanceof Error)) return [];
  return [error, ...causes(error.cause)];
}
