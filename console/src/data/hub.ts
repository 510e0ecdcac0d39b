import { errorOf, type Executor, httpExecutor, reach } from '@corral/client';
import type { QueryClient } from '@tanstack/react-query';

/** What a person types to sign in. */
export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly remember: boolean;
}

/** A script that the operator adds to every page. */
export interface RuntimeScript {
  readonly src: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** What the hub tells everybody, signed in or not. */
export interface PublicConfig {
  readonly banner?: { readonly text: string };
  readonly scripts: readonly RuntimeScript[];
  /** Of the hub. */
  readonly version?: string;
  /** The product's website. */
  readonly productUrl?: string;
  /** What those who sign up agree to, on the web. */
  readonly termsUrl?: string;
  readonly privacyUrl?: string;
  /** Whom to ask: a mailto: or https: address. */
  readonly adminContact?: string;
  /** Whether people may make accounts for themselves. */
  readonly isRegistrationOpen: boolean;
  /** The hub speaks plain http beyond this machine, so that whoever is in between can read along. */
  readonly isInsecure: boolean;
}

/** The hub as the console sees it: actions, and the three calls that are none. Failures are `ActionError`s. */
export interface Hub extends Executor {
  signIn(credentials: Credentials): Promise<void>;
  signOut(): Promise<void>;
  readConfig(): Promise<PublicConfig>;
}

/** The hub that served this page. `onVersion` hears the version of the hub with every answer that carries it. */
export function hubOverHttp(onVersion: (version: string) => void): Hub {
  const send: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    const version = response.headers.get('x-corral-version');
    if (version !== null) onVersion(version);
    return response;
  };
  return {
    ...httpExecutor({ fetch: send }),
    signIn: (credentials) => post(send, '/api/private/login', credentials),
    signOut: () => post(send, '/api/private/logout', {}),
    async readConfig() {
      const response = await reach(() => send('/api/config.json', { credentials: 'same-origin' }));
      if (!response.ok) throw await errorOf(response);
      return publicConfigOf(await response.json());
    },
  };
}

async function post(send: typeof fetch, path: string, body: unknown): Promise<void> {
  const response = await reach(() =>
    send(path, {
      method: 'POST',
      credentials: 'same-origin',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
  if (!response.ok) throw await errorOf(response);
}

/** Reads what config.json says; what is missing or of another shape counts as not configured. */
function publicConfigOf(answer: unknown): PublicConfig {
  const { banner, scripts, version, productUrl, isInsecure, isRegistrationOpen, ...more } = (answer ??
    {}) as {
    readonly [Key in keyof PublicConfig]?: unknown;
  };
  const text = (banner as { text?: unknown } | null | undefined)?.text;
  return {
    ...(typeof text === 'string' && text.trim() !== '' && { banner: { text } }),
    ...(typeof version === 'string' && { version }),
    ...(typeof productUrl === 'string' && { productUrl }),
    ...linksOf(more),
    isInsecure: isInsecure === true,
    isRegistrationOpen: isRegistrationOpen !== false,
    scripts: Array.isArray(scripts) ? scripts.filter(isScript) : [],
  };
}

const linkNames = ['termsUrl', 'privacyUrl', 'adminContact'] as const;

// The hub checks them too; what reaches an href is worth the second look.
function linksOf(answer: Readonly<Record<string, unknown>>): Partial<PublicConfig> {
  const isLink = (name: string) => /^(?:https:|mailto:)/i.test(String(answer[name]));
  return Object.fromEntries(linkNames.filter(isLink).map((name) => [name, String(answer[name])]));
}

function isScript(value: unknown): value is RuntimeScript {
  return typeof (value as { src?: unknown } | null)?.src === 'string';
}

const hubs = new WeakMap<QueryClient, Hub>();

/** Ties a cache to the hub that fills it. */
export function bindHub(client: QueryClient, hub: Hub): void {
  hubs.set(client, hub);
}

/** The hub that fills this cache, for the functions of queries and mutations. */
export function hubOf(client: QueryClient): Hub {
  const hub = hubs.get(client);
  if (hub === undefined) throw new Error('This QueryClient was not made by createQueryClient.');
  return hub;
}
