import type { IncomingMessage } from 'node:http';
import { ActionError, ids } from '@corral/contract';
import { bearerToken } from '../auth/bearer-token.ts';
import type { Config } from '../config/config.ts';
import type { Caller, Executor } from '../executor/executor.ts';
import type { Log } from '../log/log.ts';
import { checkSameOrigin } from './check-same-origin.ts';
import type { SessionCookie } from './cookies.ts';
import { nobody, type Identity, type Sessions } from './sessions.ts';

/** What every route of the HTTP door shares. */
export interface Door {
  readonly config: Config;
  readonly executor: Executor;
  readonly log: Log;
  readonly version: string;
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  /** The origin of the console's pages; known in full once the server listens. */
  readonly publicOrigin: () => string;
  /** The client's address, as throttles count it. */
  readonly addressOf: (request: IncomingMessage) => string | undefined;
}

/**
 * Finds out who a request speaks for: a user token, else a session whose request comes from the console's own pages, else nobody.
 * Throws an `ActionError` for a bad token and for a forged request.
 */
export async function identify(door: Door, { headers }: IncomingMessage): Promise<Identity> {
  if (headers.authorization !== undefined) return door.sessions.ofUserToken(bearerOf(headers.authorization));
  const sessionToken = door.cookie.read(headers.cookie);
  if (sessionToken === undefined) return nobody;
  checkSameOrigin(headers, door.publicOrigin());
  return door.sessions.ofSession(sessionToken);
}

/** The same for a request that only reads, which needs no proof of its page. */
export async function identifyReader(door: Door, { headers }: IncomingMessage): Promise<Identity> {
  return door.sessions.ofSession(door.cookie.read(headers.cookie) ?? '');
}

function bearerOf(authorization: string): string {
  const token = bearerToken(authorization);
  if (token !== undefined) return token;
  throw new ActionError('NotSignedIn', 'The header Authorization must be Bearer and a user token.');
}

/** The caller of an action, with its address. */
export function callerOf(door: Door, identity: Identity, request: IncomingMessage): Caller {
  const ip = door.addressOf(request);
  const origin: { ip?: string; sessionId?: string } = {};
  if (ip !== undefined) origin.ip = ip;
  // Handlers compare with the raw part that the database keeps.
  if (identity.sessionId !== undefined) origin.sessionId = ids.session.raw(identity.sessionId);
  return { actor: identity.actor, origin };
}
