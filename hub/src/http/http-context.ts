import type { IncomingMessage } from 'node:http';
import { ActionError, ids } from '@corral/contract';
import { bearerToken } from '../auth/bearer-token.ts';
import type { Config } from '../config/config.ts';
import type { UntakenAnswers } from '../limits/untaken-answers.ts';
import type { Caller, Executor } from '../executor/executor.ts';
import type { CallOrigin } from '../executor/handler.ts';
import type { Log } from '../log/log.ts';
import { checkSameOrigin } from './check-same-origin.ts';
import type { SessionCookie } from './cookies.ts';
import { anonymous, type Identity, type Sessions } from './sessions.ts';

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
  return { actor: identity.actor, origin };
}
