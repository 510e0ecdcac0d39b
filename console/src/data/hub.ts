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
  /** Whether people can sign up. */
  readonly isRegistrationOpen: boolean;
  /** Whether the hub has a mail server. */
  readonly isMailConfigured: boolean;
  /** Whether the hub serves plain http beyond its own machine, so that others on the network can read the traffic. */
  readonly isInsecure: boolean;
}

/** The hub's API: actions, and the three calls that are no actions. Failures are `ActionError`s. */
export interface Hub extends Executor {
  signIn(credentials: Credentials): Promise<void>;
  signOut(): Promise<void>;
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
  return {
    ...httpExecutor({ fetch: send, parse: parseAnswer }),
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

/** Parses config.json; missing or malformed values count as not configured. */
function publicConfigOf(answer: unknown): PublicConfig {
  const { banner, scripts, version, productUrl, isInsecure, isRegistrationOpen, isMailConfigured, ...more } =
    (answer ?? {}) as {
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
    isMailConfigured: isMailConfigured !== false,
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
