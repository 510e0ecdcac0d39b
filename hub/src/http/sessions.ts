import { hash } from 'node:crypto';
import { ActionError, ids, type Actor, type DomainEvent, type Id } from '@corral/contract';
import { KnownCredentials } from '../auth/known-credentials.ts';
import type { EventBus } from '../events/bus.ts';
import type { Executor } from '../executor/executor.ts';
import type { TokenBounds } from '../executor/handler.ts';
import { systemCaller } from '../executor/system-caller.ts';

/** Who sent a request; `sessionId` is set for a session, `tokenId` for a user token. */
export interface Identity {
  readonly actor: Actor;
  readonly userId?: Id<'user'>;
  readonly sessionId?: Id<'session'>;
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
  const answer = await executor.invoke(systemCaller, 'users_AuthenticateWithSessionToken', {
    token: token as never,
  });
  if (answer.result === 'Invalid') return anonymous;
  return {
    actor: answer.actor,
    userId: answer.userId as Id<'user'>,
    sessionId: answer.sessionId as Id<'session'>,
  };
}

async function byUserToken(executor: Executor, token: string): Promise<Identity> {
  const answer = await executor.invoke(systemCaller, 'users_AuthenticateWithUserToken', {
    token: token as never,
  });
  if (answer.result === 'Invalid') return anonymous;
  const { actor, userId, isReadOnly, isLimited, expiresAt } = answer;
  return {
    actor,
    tokenBounds: { isReadOnly, isLimited, expiresAt },
    userId: userId as Id<'user'>,
    ...(actor.actor === 'UserToken' ? { tokenId: actor.tokenId as Id<'userTokenId'> } : {}),
  };
}

const endingEvents: ReadonlySet<string> = new Set([
  'users_SessionTerminated',
  'users_TokenDeleted',
  'users_SetPassword',
  'users_SetIsAdmin',
  'users_SetIsDisabled',
  'users_Deleted',
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
