import type { PasskeyAssertion, PasskeyRequest } from '@corral/contract';
import { errorOf, type Executor, httpExecutor, reach } from '@corral/client';
import type { QueryClient } from '@tanstack/react-query';
import { noteHubTime } from './hub-clock.ts';
import { parseAnswer } from './parse-answer.ts';

/** The input of the sign-in form. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly remember: boolean;
}

/** What a sign-in takes after the password: a factor that the user has, or an authenticator that has to be set up first. */
export type SignInStep =
  | {
      readonly wants: 'factor';
      readonly hasAuthenticator: boolean;
      /** What the browser needs to use a passkey of the user, good for five minutes. */
      readonly passkey?: PasskeyRequest;
      /** Why none of the factors can be used here, and what helps. */
      readonly notice?: string;
    }
  | { readonly wants: 'enrolment'; readonly secret: string; readonly qrSvg: string };

/** A code of the authenticator, a recovery code, or the use of a passkey. */
export type GivenFactor =
  | { readonly code: string; readonly isRecovery: boolean }
  | { readonly passkey: PasskeyAssertion };

/** What the user typed to confirm who it is, or the use of a passkey. */
export type Proof =
  | Partial<Record<'password' | 'code' | 'recoveryCode', string>>
  | { readonly passkey: PasskeyAssertion };

/** The recovery codes of an authenticator that was just set up. */
export interface CompletedSignIn {
  readonly recoveryCodes?: readonly string[];
}

/** A script that the operator configured for every page. */
export interface RuntimeScript {
  readonly src: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** The configuration that the hub sends to everybody, signed in or not. */
export interface PublicConfig {
  readonly banner?: { readonly text: string };
  readonly scripts: readonly RuntimeScript[];
  /** The version of the hub. */
  readonly version?: string;
  /** The product's website. */
  readonly productUrl?: string;
  /** The terms that new users agree to. */
  readonly termsUrl?: string;
  readonly privacyUrl?: string;
  /** The contact of the administrator: a mailto: or https: address. */
  readonly adminContact?: string;
  /** The only origin whose pages can use passkeys; undefined where no browser knows any for this hub. */
  readonly passkeyOrigin?: string;
  /** What the provider is called at which people may sign in. */
  readonly providerName?: string;
  /** Whether the page shows the provider first, since not everybody may use a password. */
  readonly prefersProvider?: boolean;
  /** Whether people can sign up. */
  readonly isRegistrationOpen: boolean;
  /** Whether the hub has a mail server. */
  readonly isMailConfigured: boolean;
  /** Whether the hub serves plain http beyond its own machine, so that others on the network can read the traffic. */
  readonly isInsecure: boolean;
}

/** The hub's API: actions, and the calls that are no actions. Failures are `ActionError`s. */
export interface Hub extends Executor {
  /** Resolves with what is missing after the password, if anything is. */
  signIn(credentials: Credentials): Promise<SignInStep | void>;
  /** Resolves with the address at the provider at which to sign in. */
  beginProviderSignIn(redirect: string | undefined): Promise<string>;
  /** The same for accepting the invitation of a link with an account there. */
  beginInvitedSignIn(invitationToken: string): Promise<string>;
  /** The same for linking an account there to the signed-in user. */
  beginLink(): Promise<string>;
  /** The same for an administrator who tries the settings of the provider. */
  beginProviderTest(): Promise<string>;
  /** Goes on with a sign-in that waits, such as after one at the provider. */
  resumeSignIn(): Promise<SignInStep>;
  /** Ends a sign-in with what was missing. */
  completeSignIn(given: GivenFactor): Promise<CompletedSignIn>;
  /** What the browser needs to use any passkey that it has, good for five minutes. */
  beginPasskeySignIn(): Promise<PasskeyRequest>;
  signInByPasskey(passkey: PasskeyAssertion, remember: boolean): Promise<void>;
  /** Confirms who the user of the session is. */
  stepUp(proof: Proof): Promise<void>;
  /** What the browser needs to confirm it by a passkey of the user, good for five minutes. */
  beginPasskeyStepUp(): Promise<PasskeyRequest>;
  /** Resolves with the address at the provider at which to confirm it. */
  beginProviderStepUp(): Promise<string>;
  /** Resolves with where to go then, if the session began at the provider. */
  signOut(): Promise<string | undefined>;
  readConfig(): Promise<PublicConfig>;
}

/** Called with what the headers of answers say. */
export interface AnswerHeaders {
  /** The hub's version. */
  onVersion(version: string): void;
  /** Where the live view stood before the hub began to answer. */
  onLiveCursor(cursor: string): void;
}

/** The hub that served this page. */
export function hubOverHttp({ onVersion, onLiveCursor }: AnswerHeaders): Hub {
  const send: typeof fetch = async (...request) => {
    const sentAtMs = Date.now();
    const response = await fetch(...request);
    noteHubTime(response.headers.get('date'), sentAtMs);
    const version = response.headers.get('x-corral-version');
    if (version !== null) onVersion(version);
    const cursor = response.headers.get('x-corral-live-cursor');
    if (cursor !== null) onLiveCursor(cursor);
    return response;
  };
  const resumeSignIn = () => post<SignInStep>(send, '/api/private/login/step', {});
  let wasSignedIn = false;
  // Its cookie may have been replaced while a request was under way.
  const sendAgain: typeof fetch = async (...request) => {
    const response = await send(...request);
    if (response.status === 401 && wasSignedIn) return send(...request);
    wasSignedIn ||= response.ok;
    return response;
  };
  return {
    ...httpExecutor({ fetch: sendAgain, parse: parseAnswer }),
    async signIn(credentials) {
      const { wants } = await post<{ wants?: SignInStep['wants'] }>(send, '/api/private/login', credentials);
      return wants && resumeSignIn();
    },
    beginProviderSignIn: async (redirect) =>
      (await post<{ url: string }>(send, '/api/private/login/provider', { redirect })).url,
    beginInvitedSignIn: async (invitationToken) =>
      (await post<{ url: string }>(send, '/api/private/login/provider/invitation', { invitationToken })).url,
    beginLink: async () => (await post<{ url: string }>(send, '/api/private/login/provider/link', {})).url,
    beginProviderTest: async () =>
      (await post<{ url: string }>(send, '/api/private/login/provider/test', {})).url,
    resumeSignIn,
    completeSignIn: (given) => post(send, '/api/private/login/factor', factorOf(given)),
    beginPasskeySignIn: () => post(send, '/api/private/login/passkey/challenge', {}),
    signInByPasskey: (passkey, remember) => post(send, '/api/private/login/passkey', { passkey, remember }),
    stepUp: (proof) => post(send, '/api/private/step-up', proof),
    beginPasskeyStepUp: () => post(send, '/api/private/step-up/passkey', {}),
    beginProviderStepUp: async () =>
      (await post<{ url: string }>(send, '/api/private/step-up/provider', {})).url,
    signOut: async () => (await post<{ url?: string }>(send, '/api/private/logout', {})).url,
    async readConfig() {
      const response = await reach(() => send('/api/config.json', { credentials: 'same-origin' }));
      if (!response.ok) throw await errorOf(response);
      return publicConfigOf(await response.json());
    },
  };
}

function factorOf(given: GivenFactor): object {
  if ('passkey' in given) return given;
  return given.isRecovery ? { recoveryCode: given.code } : { code: given.code };
}

async function post<Answer>(send: typeof fetch, path: string, body: unknown): Promise<Answer> {
  const response = await reach(() =>
    send(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  if (!response.ok) throw await errorOf(response);
  return response.json() as Promise<Answer>;
}

/** Parses config.json; missing or malformed values count as not configured. */
function publicConfigOf(answer: unknown): PublicConfig {
  const { banner, scripts, version, productUrl, providerName, passkeyOrigin, isInsecure, ...more } =
    (answer ?? {}) as {
      readonly [Key in keyof PublicConfig]?: unknown;
    };
  const text = (banner as { text?: unknown } | null | undefined)?.text;
  return {
    ...(typeof text === 'string' && text.trim() !== '' && { banner: { text } }),
    ...(typeof version === 'string' && { version }),
    ...(typeof productUrl === 'string' && { productUrl }),
    ...(typeof providerName === 'string' && { providerName }),
    ...(typeof passkeyOrigin === 'string' && { passkeyOrigin }),
    ...linksOf(more),
    ...(more.prefersProvider === true ? { prefersProvider: true } : {}),
    isInsecure: isInsecure === true,
    isRegistrationOpen: more.isRegistrationOpen !== false,
    isMailConfigured: more.isMailConfigured !== false,
    scripts: Array.isArray(scripts) ? scripts.filter(isScript) : [],
  };
}

const linkNames = ['termsUrl', 'privacyUrl', 'adminContact'] as const;

// The hub validates them too; checked again because they become an href.
function linksOf(answer: Readonly<Record<string, unknown>>): Partial<PublicConfig> {
  const isLink = (name: string) => /^(?:https:|mailto:)/i.test(String(answer[name]));
  return Object.fromEntries(linkNames.filter(isLink).map((name) => [name, String(answer[name])]));
}

function isScript(value: unknown): value is RuntimeScript {
  return typeof (value as { src?: unknown } | null)?.src === 'string';
}

const hubs = new WeakMap<QueryClient, Hub>();

/** Binds a cache to the hub that its queries and mutations call. */
export function bindHub(client: QueryClient, hub: Hub): void {
  hubs.set(client, hub);
}

/** The hub that is bound to this cache. */
export function hubOf(client: QueryClient): Hub {
  const hub = hubs.get(client);
  if (hub === undefined) throw new Error('This QueryClient was not created by createQueryClient.');
  return hub;
}
