import type { IncomingMessage } from 'node:http';
import { ActionError } from '@corral/contract';
import type { FastifyInstance } from 'fastify';
import { checkSameOrigin } from './check-same-origin.ts';
import { callerOf, identifyReader, type Door } from './door.ts';
import { jsonMediaType } from './failures.ts';
import { anonymousBodyBytes, mustBeJson, readJson } from './read-json.ts';
import { nobody, type Identity } from './sessions.ts';

const rememberSecs = 30 * 24 * 3600;
const longestUserAgent = 500;
const system = { actor: 'System', kind: 'System' } as const;

/** `POST /api/private/login` and `POST /api/private/logout`: a session begins and ends, and its cookie with it. */
export function addSignInRoutes(server: FastifyInstance, door: Door): void {
  server.post('/api/private/login', async (request, reply) => {
    checkSameOrigin(request.raw.headers, door.publicOrigin());
    const form = readForm(await readJson(request.raw, { maxBytes: anonymousBodyBytes, isAnonymous: true }));
    const sessionToken = await startSession(door, request.raw, form);
    await endSession(door, await identifyReader(door, request.raw), request.raw);
    reply.header('set-cookie', door.cookie.write(sessionToken, form.remember ? rememberSecs : undefined));
    reply.type(jsonMediaType);
    return '{}';
  });

  server.post('/api/private/logout', async (request, reply) => {
    checkSameOrigin(request.raw.headers, door.publicOrigin());
    mustBeJson(request.raw);
    request.raw.resume();
    await endSession(door, await identifyReader(door, request.raw), request.raw);
    reply.header('set-cookie', door.cookie.clear());
    reply.type(jsonMediaType);
    return '{}';
  });
}

interface SignInForm {
  readonly email: string;
  readonly password: string;
  readonly remember: boolean;
}

function readForm(body: unknown): SignInForm {
  const { email, password, remember } = (body ?? {}) as Record<string, unknown>;
  if (typeof email !== 'string' || email.trim() === '')
    throw new ActionError('Invalid', 'Please enter your email address.');
  if (typeof password !== 'string' || password.trim() === '')
    throw new ActionError('Invalid', 'Please enter your password.');
  if (remember !== undefined && remember !== null && typeof remember !== 'boolean')
    throw new ActionError('Invalid', 'The field remember must be true or false.');
  return { email, password, remember: remember === true };
}

async function startSession(door: Door, request: IncomingMessage, form: SignInForm): Promise<string> {
  const { origin } = callerOf(door, nobody, request);
  const answer = await door.executor.invoke({ actor: system, origin }, 'users_InitiateUserSession', {
    email: form.email,
    password: form.password,
    userAgent: (request.headers['user-agent'] ?? '').slice(0, longestUserAgent),
    ...(form.remember ? { validForSecs: rememberSecs } : {}),
  });
  if (answer.result === 'Created') return answer.sessionToken;
  throw new ActionError('NotSignedIn', 'Invalid username or password!');
}

/** Ends the session that a request came with; one that has ended meanwhile is as good. */
async function endSession(door: Door, identity: Identity, request: IncomingMessage): Promise<void> {
  if (identity.sessionId === undefined) return;
  const input = { sessionId: identity.sessionId };
  try {
    await door.executor.invoke(callerOf(door, identity, request), 'users_TerminateUserSession', input);
  } catch (error) {
    if (!(error instanceof ActionError) || error.kind !== 'Invalid') throw error;
  }
}
