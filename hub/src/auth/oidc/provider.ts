import * as client from 'openid-client';
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
}

/** The provider of identities of the instance. */
export interface Provider {
  /** Where to send the browser. */
  begin(flow: Flow, redirectUri: string): Promise<URL>;
  /** Checks the answer, as the query of the redirect URI. Rejects with OidcRefused. */
  finish(flow: Flow, redirectUri: string, query: string): Promise<Identity>;
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
const longestSubject = 255;
const longestText = 256;
const mostGroups = 1_000;
/** How far the clock of a provider may be ahead of the hub's. */
const clockAheadSecs = 60;

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
  let found: { readonly atMs: number; readonly configuration: client.Configuration } | undefined;
  const configured = async (): Promise<client.Configuration> => {
    if (found !== undefined && parts.nowMs() - found.atMs < rereadMs) return found.configuration;
    const configuration = await discover(parts);
    found = { atMs: parts.nowMs(), configuration };
    return configuration;
  };
  return {
    begin: (flow, redirectUri) =>
      refusing(async () =>
        client.buildAuthorizationUrl(await configured(), {
          redirect_uri: redirectUri,
          response_mode: 'query',
          scope: ['openid', ...parts.settings.scopes].join(' '),
          state: flow.state,
          nonce: flow.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(flow.codeVerifier),
          code_challenge_method: 'S256',
        }),
      ),
    finish: (flow, redirectUri, query) =>
      refusing(async () => {
        const configuration = await configured();
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
        if (claims === undefined) throw new OidcRefused('Invalid');
        if (claims.iat > parts.nowMs() / 1000 + clockAheadSecs) throw new OidcRefused('Clock');
        const info = await userInfo(configuration, tokens.access_token, claims.sub);
        return identityOf(parts.settings, claims, { ...info, ...claims });
      }),
  };
}

async function discover({ settings, fetch }: Parts): Promise<client.Configuration> {
  const { issuer, clientId, clientSecret } = settings;
  const server = new URL(issuer);
  return client.discovery(server, clientId, undefined, client.ClientSecretBasic(clientSecret), {
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
  { sub }: client.IDToken,
  claims: Claims,
): Identity {
  if (sub === '' || sub.length > longestSubject) throw new OidcRefused('Invalid');
  return {
    issuer,
    subject: sub,
    email: textOf(claims['email']),
    isEmailVerified: claims['email_verified'] === true,
    name: textOf(claims['name']) ?? textOf(claims['preferred_username']),
    groups: groupsClaim === undefined ? undefined : groupsOf(claims[groupsClaim]),
    providerSessionId: textOf(claims['sid']),
  };
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
