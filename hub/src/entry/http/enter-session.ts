import type { IncomingMessage } from 'node:http';
import { ActionError } from '@corral/contract';
import type { FastifyReply } from 'fastify';
import { callerOf, type HttpContext, identifyReader, type Identity } from './identity.ts';

/** For so long a session lasts that the browser keeps when it ends. */
export const rememberSecs = 30 * 24 * 3600;

/** A session that has begun. */
interface NewSession {
  readonly sessionToken: string;
  readonly userId: string;
  /** Whether the browser keeps it when it ends. */
  readonly isRemembered: boolean;
}

/** Gives the browser the cookie of a new session, and ends the one that it had. */
export async function enterSession(
  context: HttpContext,
  request: IncomingMessage,
  reply: FastifyReply,
  { sessionToken, userId, isRemembered }: NewSession,
): Promise<void> {
  context.sessions.noteIssued(sessionToken, userId);
  await endSession(context, await identifyReader(context, request), request);
  const isWaiting = context.pendingCookie.read(request.headers.cookie) !== undefined;
  reply.header('set-cookie', [
    context.cookie.write(sessionToken, isRemembered ? rememberSecs : undefined),
    ...(isWaiting ? [context.pendingCookie.clear()] : []),
  ]);
}

/** The cookie of a session whose user has confirmed who it is: it lasts as long as the one before. */
export function renewedCookie(
  context: HttpContext,
  userId: string,
  session: { readonly sessionToken: string; readonly expiresInSecs: number; readonly validForSecs: number },
): string {
  context.sessions.noteIssued(session.sessionToken, userId);
  const isRemembered = session.validForSecs >= rememberSecs;
  return context.cookie.write(session.sessionToken, isRemembered ? session.expiresInSecs : undefined);
}

/** Ends the session of a request; it may have ended already. */
export async function endSession(
  context: HttpContext,
  identity: Identity,
  request: IncomingMessage,
): Promise<void> {
  if (identity.sessionId === undefined) return;
  const input = { sessionId: identity.sessionId };
  try {
    await context.executor.invoke(callerOf(context, identity, request), 'users_TerminateUserSession', input);
  } catch (error) {
    if (!(error instanceof ActionError) || error.kind !== 'Invalid') throw error;
  }
}
