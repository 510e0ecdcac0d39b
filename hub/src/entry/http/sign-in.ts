import type { IncomingMessage } from 'node:http';
import { ActionError, signInMessages, signInProblem } from '@corral/contract';
import type { FastifyInstance } from 'fastify';
import { systemCaller } from '../../calls/handler.ts';
import {
  anonymous,
  callerOf,
  checkSameOrigin,
  type HttpContext,
  identifyReader,
  type Identity,
  knownUserOf,
} from './identity.ts';
import { anonymousBodyBytes, countingRefusals, mustBeJson, readJson } from './invoke.ts';
import { jsonMediaType } from './responses.ts';

const rememberSecs = 30 * 24 * 3600;
const maxUserAgentLength = 500;

/** `POST /api/private/login` and `POST /api/private/logout`: start and end a session and its cookie. */
export function addSignInRoutes(server: FastifyInstance, context: HttpContext): void {
  server.post('/api/private/login', async (request, reply) => {
    checkSameOrigin(request.raw.headers, context);
    const form = readForm(await readJson(request.raw, { maxBytes: anonymousBodyBytes, isAnonymous: true }));
    // With the session of one account, guesses at others do not wait with those of the address.
    const signIn = startSession(context, request.raw, form);
    const { sessionToken, userId } = await countingRefusals(
      context,
      request.raw,
      knownUserOf(context, request.raw),
      signIn,
    );
    context.sessions.noteIssued(sessionToken, userId);
    await endSession(context, await identifyReader(context, request.raw), request.raw);
    reply.header('set-cookie', context.cookie.write(sessionToken, form.remember ? rememberSecs : undefined));
    reply.type(jsonMediaType);
    return '{}';
  });

  server.post('/api/private/logout', async (request, reply) => {
    checkSameOrigin(request.raw.headers, context);
    mustBeJson(request.raw);
    request.raw.resume();
    await endSession(context, await identifyReader(context, request.raw), request.raw);
    reply.header('set-cookie', context.cookie.clear());
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
  const typedEmail = typeof email === 'string' ? email : '';
  const typedPassword = typeof password === 'string' ? password : '';
  const problem = signInProblem(typedEmail, 'email') ?? signInProblem(typedPassword, 'password');
  if (problem !== undefined) throw new ActionError('Invalid', signInMessages[problem]);
  if (remember !== undefined && remember !== null && typeof remember !== 'boolean')
    throw new ActionError('Invalid', 'The field remember must be true or false.');
  return { email: typedEmail, password: typedPassword, remember: remember === true };
}

async function startSession(
  context: HttpContext,
  request: IncomingMessage,
  form: SignInForm,
): Promise<{ readonly sessionToken: string; readonly userId: string }> {
  const { origin } = callerOf(context, anonymous, request);
  const answer = await context.executor.invoke(
    { actor: systemCaller.actor, origin },
    'users_InitiateUserSession',
    {
      email: form.email,
      password: form.password,
      userAgent: (request.headers['user-agent'] ?? '').slice(0, maxUserAgentLength),
      ...(form.remember ? { validForSecs: rememberSecs } : {}),
    },
  );
  if (answer.result === 'Created') return answer;
  throw new ActionError('NotSignedIn', 'Invalid username or password!');
}

/** Ends the session of a request; it may have ended already. */
async function endSession(context: HttpContext, identity: Identity, request: IncomingMessage): Promise<void> {
  if (identity.sessionId === undefined) return;
  const input = { sessionId: identity.sessionId };
  try {
    await context.executor.invoke(callerOf(context, identity, request), 'users_TerminateUserSession', input);
  } catch (error) {
    if (!(error instanceof ActionError) || error.kind !== 'Invalid') throw error;
  }
}
