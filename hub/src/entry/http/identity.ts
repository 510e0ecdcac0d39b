import { hash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ActionError, type Actor, type DomainEvent, type Id, ids } from '@corral/contract';
import { bearerToken } from '../../auth/bearer-token.ts';
import { KnownCredentials } from '../../auth/known-credentials.ts';
import type { Caller, Executor } from '../../calls/executor.ts';
import { type CallOrigin, systemCaller, type TokenBounds } from '../../calls/handler.ts';
import type { UntakenAnswers } from '../../calls/turns.ts';
import { isLoopback } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import type { EventBus } from '../../platform/events/bus.ts';
import type { Log } from '../../platform/log/log.ts';
import { AuthenticateWithSessionToken } from '../../domains/users/internal/AuthenticateWithSessionToken.ts';
import { AuthenticateWithUserToken } from '../../domains/users/internal/AuthenticateWithUserToken.ts';

/** The settings of the instance that visitors of the console may see. */
export interface PublicSettings {
  readonly isRegistrationOpen: boolean;
  /** Whether a mail server is set. */
  readonly isMailConfigured: boolean;
  /** Only the configuration may set HTML, which is sanitized; other text is shown as it is. */
  readonly banner: { readonly text: string; readonly isHtml: boolean } | undefined;
  readonly productUrl: string | undefined;
  readonly termsUrl: string | undefined;
  readonly privacyUrl: string | undefined;
  /** A mailto: or https: address. */
  readonly adminContact: string | undefined;
  /** What the provider is called at which people may sign in; undefined without one. */
  readonly providerName: string | undefined;
  /** Whether the sign-in page shows the provider first, since not everybody may use a password. */
  readonly prefersProvider: boolean;
}

/** What all HTTP routes share. */
export interface HttpContext {
  readonly config: Config;
  /** The current settings; the same object while nothing changes. */
  readonly settings: () => PublicSettings;
  readonly executor: Executor;
  /** Bounds the answers that are made but not yet sent. */
  readonly untakenAnswers: UntakenAnswers;
  readonly log: Log;
  readonly version: string;
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  /** Of a sign-in that waits for a second factor, which is no session. */
  readonly pendingCookie: SessionCookie;
  /** The origin of the console's pages; complete once the server listens. */
  readonly publicOrigin: () => string;
  /** The client's address, as rate limits use it. */
  readonly addressOf: (request: IncomingMessage) => string | undefined;
  /** Notes that the request of a user was refused. */
  readonly countRefusal: (request: IncomingMessage, userId: string) => void;
}

/**
 * Authenticates a request: by a user token, else by a session if the request comes from the console's own pages, else as anonymous.
 * Throws an `ActionError` for an invalid token and for a cross-site request.
 */
export async function identify(context: HttpContext, { headers }: IncomingMessage): Promise<Identity> {
  if (headers.authorization !== undefined)
    return context.sessions.ofUserToken(bearerOf(headers.authorization));
  const sessionToken = context.cookie.read(headers.cookie);
  if (sessionToken === undefined) return anonymous;
  checkSameOrigin(headers, context);
  return context.sessions.ofSession(sessionToken);
}

/** Authenticates a request that only reads, which may come from any page. */
export async function identifyReader(context: HttpContext, { headers }: IncomingMessage): Promise<Identity> {
  return context.sessions.ofSession(context.cookie.read(headers.cookie) ?? '');
}

/** Whose session or user token a request has, if it was valid when it was last used. */
export function knownUserOf(
  { sessions, cookie }: Pick<HttpContext, 'sessions' | 'cookie'>,
  { headers }: IncomingMessage,
): string | undefined {
  const { authorization } = headers;
  const token = authorization === undefined ? cookie.read(headers.cookie) : bearerToken(authorization);
  return token === undefined ? undefined : sessions.knownUserOf(token);
}

function bearerOf(authorization: string): string {
  const token = bearerToken(authorization);
  if (token !== undefined) return token;
  throw new ActionError('NotSignedIn', 'The header Authorization must be Bearer and a user token.');
}

/** The caller of an action, with its address. */
export function callerOf(context: HttpContext, identity: Identity, request: IncomingMessage): Caller {
  const ip = context.addressOf(request);
  const origin: { -readonly [Part in keyof CallOrigin]: CallOrigin[Part] } = {};
  if (ip !== undefined) origin.ip = ip;
  if (identity.tokenBounds !== undefined) origin.tokenBounds = identity.tokenBounds;
  // Handlers compare with the raw part that the database keeps.
  if (identity.sessionId !== undefined) origin.sessionId = ids.session.raw(identity.sessionId);
  if (identity.steppedUpAt !== undefined) origin.steppedUpAt = identity.steppedUpAt;
  return { actor: identity.actor, origin };
}

/** Who sent a request; `sessionId` is set for a session, `tokenId` for a user token. */
export interface Identity {
  readonly actor: Actor;
  readonly userId?: Id<'user'>;
  readonly sessionId?: Id<'session'>;
  /** When the user of the session last proved who it is: its token is renewed with that. */
  readonly steppedUpAt?: string | undefined;
  readonly tokenId?: Id<'userTokenId'>;
  /** Set for a user token. */
  readonly tokenBounds?: TokenBounds;
}

/** The identity of an anonymous request. */
export const anonymous: Identity = { actor: { actor: 'Anonymous', kind: 'Anonymous' } };

/** Authenticates secrets by actions of the hub and caches the identities for up to two seconds. */
export interface Sessions {
  /** The identity behind a session token; `anonymous` when it is malformed, unknown, expired or ended. */
  ofSession(token: string): Promise<Identity>;
  /** The identity behind a user token. Throws an `ActionError` of kind NotSignedIn when it is not valid. */
  ofUserToken(token: string): Promise<Identity>;
  /** Whose a session or user token is, if it was valid when it was last used, or has just been issued. */
  knownUserOf(token: string): string | undefined;
  /** Notes a session that has just been issued. */
  noteIssued(token: string, userId: string): void;
  close(): void;
}

interface CachedIdentity {
  readonly identity: Promise<Identity>;
  readonly expiresAtMs: number;
}

const cacheForMs = 2_000;
const maxCachedIdentities = 10_000;

/** Creates the cache. Sessions and tokens that end on any node are removed when their event arrives on the bus. */
export function createSessions(executor: Executor, bus: EventBus, now: () => number): Sessions {
  const cache = new Map<string, CachedIdentity>();
  const known = new KnownCredentials();
  const cached = (token: string, resolve: () => Promise<Identity>): Promise<Identity> => {
    const key = digestOf(token);
    const existing = cache.get(key);
    if (existing !== undefined && existing.expiresAtMs > now()) return existing.identity;
    if (cache.size >= maxCachedIdentities) cache.clear();
    const entry = { identity: resolve(), expiresAtMs: now() + cacheForMs };
    cache.set(key, entry);
    removeUnless(cache, key, entry, isAuthenticated);
    entry.identity.then(({ userId }) => known.note(key, userId)).catch(() => undefined);
    return entry.identity;
  };
  const close = bus.subscribe(
    (event) => removeEnded(cache, event),
    () => cache.clear(),
  );
  return {
    ofSession: async (token) =>
      ids.sessionToken.schema.safeParse(token).success
        ? cached(token, () => bySession(executor, token))
        : anonymous,
    ofUserToken: async (token) => {
      const isToken = ids.userToken.schema.safeParse(token).success;
      const identity = isToken ? await cached(token, () => byUserToken(executor, token)) : anonymous;
      if (identity === anonymous) throw new ActionError('NotSignedIn', 'The user token is not valid.');
      return identity;
    },
    knownUserOf: (token) => known.ownerOf(digestOf(token)),
    noteIssued: (token, userId) => known.note(digestOf(token), userId),
    close,
  };
}

const digestOf = (token: string): string => hash('sha256', token, 'base64');

const isAuthenticated = (identity: Identity): boolean => identity !== anonymous;

/** Failures and anonymous identities are not cached: a new session works at once, and guesses use no memory. */
function removeUnless(
  cache: Map<string, CachedIdentity>,
  key: string,
  entry: CachedIdentity,
  isKept: (identity: Identity) => boolean,
): void {
  const remove = (): void => void (cache.get(key) === entry && cache.delete(key));
  entry.identity.then((identity) => void (isKept(identity) || remove()), remove);
}

async function bySession(executor: Executor, token: string): Promise<Identity> {
  const answer = await executor.run(systemCaller, AuthenticateWithSessionToken, {
    token: token as never,
  });
  if (answer.result === 'Invalid') return anonymous;
  return {
    actor: answer.actor,
    userId: answer.userId,
    sessionId: answer.sessionId,
    steppedUpAt: answer.steppedUpAt,
  };
}

async function byUserToken(executor: Executor, token: string): Promise<Identity> {
  const answer = await executor.run(systemCaller, AuthenticateWithUserToken, {
    token: token as never,
  });
  if (answer.result === 'Invalid') return anonymous;
  const { actor, userId, isReadOnly, isLimited, verbs, expiresAt } = answer;
  return {
    actor,
    tokenBounds: { isReadOnly, isLimited, verbs, expiresAt },
    userId,
    tokenId: actor.tokenId as Id<'userTokenId'>,
  };
}

const endingEvents: ReadonlySet<string> = new Set([
  'users_SessionTerminated',
  'users_SessionSteppedUp',
  'users_TokenDeleted',
  'users_SetPassword',
  'users_SetIsAdmin',
  'users_SetIsDisabled',
  'users_Deleted',
  'users_ServiceAccountDeleted',
]);

/** Removes all entries of the user; those that are still valid are looked up again. */
async function removeEnded(cache: Map<string, CachedIdentity>, event: DomainEvent): Promise<void> {
  if (!endingEvents.has(event.name)) return;
  const { userId } = event.data;
  await Promise.all(
    [...cache].map(async ([key, entry]) => {
      const identity = await entry.identity.catch(() => anonymous);
      if (identity.userId === userId && cache.get(key) === entry) cache.delete(key);
    }),
  );
}

/** The session cookie: its name, and how to write, clear and read it. */
export interface SessionCookie {
  readonly name: string;
  /** The value of a Set-Cookie header; without maxAgeSecs it is a session cookie of the browser. */
  write(sessionToken: string, maxAgeSecs?: number): string;
  clear(): string;
  /** The session token that a Cookie header carries, if any. */
  read(cookieHeader: string | undefined): string | undefined;
}

/** The cookies of sessions, and of sign-ins that wait. */
export function cookiesOf(isInsecure: boolean): Pick<HttpContext, 'cookie' | 'pendingCookie'> {
  return { cookie: sessionCookie(isInsecure), pendingCookie: sessionCookie(isInsecure, 'sign-in') };
}

/**
 * Creates the cookie. Its `__Host-` prefix binds it to the host and to HTTPS, except where the public address is plain HTTP and not
 * loopback. Session tokens need no encoding.
 */
function sessionCookie(isInsecure: boolean, of: 'session' | 'sign-in' = 'session'): SessionCookie {
  const name = isInsecure ? of : `__Host-${of}`;
  const attributes = `; Path=/; HttpOnly; ${isInsecure ? '' : 'Secure; '}SameSite=Lax`;
  const pattern = new RegExp(`(?:^|;)[ \\t]*${name}=([^;]*)`);
  return {
    name,
    write: (sessionToken, maxAgeSecs) =>
      `${name}=${sessionToken}${maxAgeSecs === undefined ? '' : `; Max-Age=${maxAgeSecs}`}${attributes}`,
    clear: () => `${name}=; Max-Age=0${attributes}`,
    read: (header) => (header === undefined ? undefined : pattern.exec(header)?.[1]?.trim()),
  };
}

/**
 * Requires that a request with the session cookie comes from the console's own pages: by Sec-Fetch-Site, or by Origin where the browser
 * does not send that header, as on plain HTTP. Throws an `ActionError` of kind Forbidden.
 */
export function checkSameOrigin(
  headers: IncomingHttpHeaders,
  context: Pick<HttpContext, 'publicOrigin' | 'config'>,
): void {
  const publicOrigin = context.publicOrigin();
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return;
  if (site !== undefined)
    throw new ActionError(
      'Forbidden',
      "This request was not made by the console's own pages and was refused.",
    );
  if (headers.origin === publicOrigin || isServedOrigin(headers, context)) return;
  if (headers.origin === undefined)
    throw new ActionError(
      'Forbidden',
      'This request does not say which page made it (Sec-Fetch-Site or Origin) and was refused.',
    );
  throw new ActionError(
    'Forbidden',
    `This request was made by a page of another origin than ${publicOrigin} and was refused. Open the console at that address.`,
  );
}

/** Whether the page is of the requested host, which the hub serves, and the browser keeps the session's cookie there. */
function isServedOrigin(
  { origin = '', host = '' }: IncomingHttpHeaders,
  { publicOrigin, config: { isInsecure } }: Pick<HttpContext, 'publicOrigin' | 'config'>,
): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  const own = `${protocol}//${host}`;
  if (!URL.canParse(own) || new URL(own).origin !== origin) return false;
  return (
    protocol === 'https:' || (publicOrigin().startsWith('http:') && (isInsecure || isLoopback(hostname)))
  );
}
