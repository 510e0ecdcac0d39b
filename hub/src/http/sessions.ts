import { hash } from 'node:crypto';
import { ActionError, ids, type Actor, type DomainEvent, type Id } from '@corral/contract';
import type { EventBus } from '../events/bus.ts';
import type { Executor } from '../executor/executor.ts';

/** Who sent a request; `sessionId` is set for a session, `tokenId` for a user token. */
export interface Identity {
  readonly actor: Actor;
  readonly userId?: Id<'user'>;
  readonly sessionId?: Id<'session'>;
  readonly tokenId?: Id<'userTokenId'>;
}

/** The identity of an anonymous request. */
export const nobody: Identity = { actor: { actor: 'Anonymous', kind: 'Anonymous' } };

/** Authenticates secrets by actions of the hub and caches the identities for up to two seconds. */
export interface Sessions {
  /** The identity behind a session token; `nobody` when it is malformed, unknown, expired or ended. */
  ofSession(token: string): Promise<Identity>;
  /** The identity behind a user token. Throws an `ActionError` of kind NotSignedIn when it is not valid. */
  ofUserToken(token: string): Promise<Identity>;
  close(): void;
}

interface Remembered {
  readonly identity: Promise<Identity>;
  readonly until: number;
}

const rememberMs = 2_000;
const maxRemembered = 10_000;
const system = { actor: { actor: 'System', kind: 'System' }, origin: {} } as const;

/** Creates the cache. Sessions and tokens that end on any node are removed when their event arrives on the bus. */
export function createSessions(executor: Executor, bus: EventBus, now: () => number): Sessions {
  const remembered = new Map<string, Remembered>();
  const recall = (token: string, resolve: () => Promise<Identity>): Promise<Identity> => {
    const key = hash('sha256', token, 'base64');
    const known = remembered.get(key);
    if (known !== undefined && known.until > now()) return known.identity;
    if (remembered.size >= maxRemembered) remembered.clear();
    const entry = { identity: resolve(), until: now() + rememberMs };
    remembered.set(key, entry);
    forgetUnless(remembered, key, entry, isSomebody);
    return entry.identity;
  };
  const close = bus.subscribe((event) => forgetEnded(remembered, event));
  return {
    ofSession: async (token) =>
      ids.sessionToken.schema.safeParse(token).success
        ? recall(token, () => bySession(executor, token))
        : nobody,
    ofUserToken: async (token) => {
      const isToken = ids.userToken.schema.safeParse(token).success;
      const identity = isToken ? await recall(token, () => byUserToken(executor, token)) : nobody;
      if (identity === nobody) throw new ActionError('NotSignedIn', 'The user token is not valid.');
      return identity;
    },
    close,
  };
}

const isSomebody = (identity: Identity): boolean => identity !== nobody;

/** Failures and anonymous identities are not cached: a new session works at once, and guesses use no memory. */
function forgetUnless(
  remembered: Map<string, Remembered>,
  key: string,
  entry: Remembered,
  isKept: (identity: Identity) => boolean,
): void {
  const forget = (): void => void (remembered.get(key) === entry && remembered.delete(key));
  entry.identity.then((identity) => void (isKept(identity) || forget()), forget);
}

async function bySession(executor: Executor, token: string): Promise<Identity> {
  const answer = await executor.invoke(system, 'users_AuthenticateWithSessionToken', {
    token: token as never,
  });
  if (answer.result === 'Invalid') return nobody;
  return {
    actor: answer.actor,
    userId: answer.userId as Id<'user'>,
    sessionId: answer.sessionId as Id<'session'>,
  };
}

async function byUserToken(executor: Executor, token: string): Promise<Identity> {
  const answer = await executor.invoke(system, 'users_AuthenticateWithUserToken', { token: token as never });
  if (answer.result === 'Invalid') return nobody;
  const { actor, userId } = answer;
  return {
    actor,
    userId: userId as Id<'user'>,
    ...(actor.actor === 'UserToken' ? { tokenId: actor.tokenId as Id<'userTokenId'> } : {}),
  };
}

const endings: ReadonlySet<string> = new Set([
  'users_SessionTerminated',
  'users_TokenDeleted',
  'users_SetPassword',
  'users_SetIsAdmin',
  'users_Deleted',
]);

/** Removes all entries of the user; those that are still valid are looked up again. */
async function forgetEnded(remembered: Map<string, Remembered>, event: DomainEvent): Promise<void> {
  if (!endings.has(event.name)) return;
  const { userId } = event.data;
  await Promise.all(
    [...remembered].map(async ([key, entry]) => {
      const identity = await entry.identity.catch(() => nobody);
      if (identity.userId === userId && remembered.get(key) === entry) remembered.delete(key);
    }),
  );
}
