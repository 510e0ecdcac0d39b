import type { IncomingMessage } from 'node:http';
import {
  ActionError,
  type Output,
  passkeyAssertion,
  type PasskeyAssertion,
  signInMessages,
  signInProblem,
} from '@corral/contract';
import type { FastifyInstance } from 'fastify';
import { type HubCaller, systemCaller } from '../../calls/handler.ts';
import type { ProviderSignIn } from '../../auth/oidc/provider-sign-in.ts';
import { FindProviderOfSession } from '../../domains/identities/internal/FindProviderOfSession.ts';
import { BeginSignInEnrolment } from '../../domains/users/internal/BeginSignInEnrolment.ts';
import { BeginPasskeySignIn } from '../../domains/users/internal/BeginPasskeySignIn.ts';
import { CompleteSignIn } from '../../domains/users/internal/CompleteSignIn.ts';
import { ReadSignInStep } from '../../domains/users/internal/ReadSignInStep.ts';
import { SignInByPasskey } from '../../domains/users/internal/SignInByPasskey.ts';
import {
  anonymous,
  callerOf,
  checkSameOrigin,
  type HttpContext,
  identifyReader,
  type Identity,
  knownUserOf,
} from './identity.ts';
import { endSession, enterSession, rememberSecs } from './enter-session.ts';
import { anonymousBodyBytes, countingRefusals, mustBeJson, readJson } from './invoke.ts';
import { providerSessionCookie } from './provider-session-cookie.ts';
import { signedOutPage } from './provider-sign-in.ts';
import { jsonMediaType } from './responses.ts';

const shortSecs = 24 * 3600;
const maxUserAgentLength = 500;
const maxCodeLength = 100;

/** `POST /api/private/login` and `POST /api/private/logout`: start and end a session and its cookie. */
export function addSignInRoutes(
  server: FastifyInstance,
  context: HttpContext,
  signIn: ProviderSignIn | undefined,
): void {
  server.post('/api/private/login', async (request, reply) => {
    checkSameOrigin(request.raw.headers, context);
    const form = readForm(await readJson(request.raw, { maxBytes: anonymousBodyBytes, isAnonymous: true }));
    // With the session of one account, guesses at others do not wait with those of the address.
    const signIn = startSession(context, request.raw, form);
    const answer = await countingRefusals(context, request.raw, knownUserOf(context, request.raw), signIn);
    if (answer.result === 'Created') {
      await enterSession(context, request.raw, reply, { ...answer, isRemembered: form.remember });
      reply.type(jsonMediaType);
      return '{}';
    }
    reply.header('set-cookie', context.pendingCookie.write(answer.pendingToken));
    reply.type(jsonMediaType);
    return JSON.stringify({ wants: answer.result === 'FactorWanted' ? 'factor' : 'enrolment' });
  });

  addPasskeySignIn(server, context);
  addSecondSteps(server, context);

  server.post('/api/private/logout', async (request, reply) => {
    checkSameOrigin(request.raw.headers, context);
    mustBeJson(request.raw);
    request.raw.resume();
    const identity = await identifyReader(context, request.raw);
    const atProvider = providerSessionCookie(context);
    const hint = atProvider.read(request.headers.cookie);
    const url = await signOutAtProvider(context, signIn, identity, hint);
    await endSession(context, identity, request.raw);
    reply.header('set-cookie', [context.cookie.clear(), context.pendingCookie.clear(), atProvider.clear()]);
    reply.type(jsonMediaType);
    return JSON.stringify(url === undefined ? {} : { url });
  });
}

/** Signing in by a passkey alone: its challenge, and the answer to it. */
function addPasskeySignIn(server: FastifyInstance, context: HttpContext): void {
  server.post('/api/private/login/passkey/challenge', async (request, reply) => {
    checkSameOrigin(request.raw.headers, context);
    mustBeJson(request.raw);
    request.raw.resume();
    reply.type(jsonMediaType);
    return JSON.stringify(
      await context.executor.run(waitingCaller(context, request.raw), BeginPasskeySignIn),
    );
  });

  server.post('/api/private/login/passkey', async (request, reply) => {
    checkSameOrigin(request.raw.headers, context);
    const body = await readJson(request.raw, { maxBytes: anonymousBodyBytes, isAnonymous: true });
    const { passkey, remember } = (body ?? {}) as Record<string, unknown>;
    const isRemembered = remember === true;
    const answer = await context.executor.run(waitingCaller(context, request.raw), SignInByPasskey, {
      assertion: readAssertion(passkey),
      userAgent: (request.headers['user-agent'] ?? '').slice(0, maxUserAgentLength),
      validForSecs: isRemembered ? rememberSecs : shortSecs,
    });
    if (answer.result === 'Refused')
      throw new ActionError('Invalid', 'This passkey was not accepted. Try again.');
    await enterSession(context, request.raw, reply, { ...answer, isRemembered });
    reply.type(jsonMediaType);
    return '{}';
  });
}

/** The two things that a sign-in can do which waits for a second factor: learn for what, and answer. Its cookie opens nothing else. */
function addSecondSteps(server: FastifyInstance, context: HttpContext): void {
  server.post('/api/private/login/step', async (request, reply) => {
    checkSameOrigin(request.raw.headers, context);
    mustBeJson(request.raw);
    request.raw.resume();
    const caller = waitingCaller(context, request.raw);
    const pendingToken = pendingTokenOf(context, request.raw);
    const step = (await context.executor.run(caller, ReadSignInStep, { pendingToken })) ?? refuseEnded();
    reply.type(jsonMediaType);
    if (step.wants === 'Factor') return JSON.stringify({ ...step, wants: 'factor' });
    const begun = await context.executor.run(caller, BeginSignInEnrolment, { pendingToken });
    return JSON.stringify({ wants: 'enrolment', ...(begun ?? refuseEnded()) });
  });

  server.post('/api/private/login/factor', async (request, reply) => {
    checkSameOrigin(request.raw.headers, context);
    const typed = readFactor(
      await readJson(request.raw, { maxBytes: anonymousBodyBytes, isAnonymous: true }),
    );
    const caller = waitingCaller(context, request.raw);
    const pendingToken = pendingTokenOf(context, request.raw);
    // A query, which leaves no row: strangers without a sign-in that waits fill no log.
    if ((await context.executor.run(caller, ReadSignInStep, { pendingToken })) === undefined)
      return refuseEnded();
    const answer = await context.executor.run(caller, CompleteSignIn, { pendingToken, ...typed });
    if (answer.result === 'Ended') return refuseEnded();
    if (answer.result === 'Refused') throw new ActionError('Invalid', answer.sentence);
    const isRemembered = answer.validForSecs >= rememberSecs;
    await enterSession(context, request.raw, reply, { ...answer, isRemembered });
    reply.type(jsonMediaType);
    return JSON.stringify({ recoveryCodes: answer.recoveryCodes });
  });
}

function waitingCaller(context: HttpContext, request: IncomingMessage): HubCaller {
  return { ...systemCaller, origin: callerOf(context, anonymous, request).origin };
}

function pendingTokenOf(context: HttpContext, request: IncomingMessage): string {
  return context.pendingCookie.read(request.headers.cookie) ?? refuseEnded();
}

function refuseEnded(): never {
  throw new ActionError(
    'Invalid',
    'This sign-in took too long, or too many codes were wrong. Sign in again.',
  );
}

function readFactor(
  body: unknown,
): { readonly code: string; readonly isRecoveryCode: boolean } | { readonly assertion: PasskeyAssertion } {
  const { code, recoveryCode, passkey } = (body ?? {}) as Record<string, unknown>;
  if (passkey !== undefined) return { assertion: readAssertion(passkey) };
  const typed = code ?? recoveryCode;
  if (typeof typed === 'string' && typed.trim() !== '' && typed.length <= maxCodeLength)
    return { code: typed, isRecoveryCode: code === undefined };
  throw new ActionError('Invalid', 'Please enter a code.');
}

/** The use of a passkey. Throws an `ActionError` for anything else. */
export function readAssertion(answer: unknown): PasskeyAssertion {
  const { data } = passkeyAssertion.safeParse(answer);
  if (data !== undefined) return data;
  throw new ActionError('Invalid', 'This is no answer of a passkey.');
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
): Promise<Exclude<Output<'users_InitiateUserSession'>, { result: 'InvalidCredentials' }>> {
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
  if (answer.result !== 'InvalidCredentials') return answer;
  throw new ActionError('NotSignedIn', 'Invalid username or password!');
}

/** Where somebody goes after a sign-out whose session began at the provider: there, to end that session, too, or to a page that says so. */
async function signOutAtProvider(
  { executor, log }: HttpContext,
  signIn: ProviderSignIn | undefined,
  { sessionId }: Identity,
  hint: string | undefined,
): Promise<string | undefined> {
  if (sessionId === undefined || signIn === undefined) return undefined;
  const { identity } = await executor.run(systemCaller, FindProviderOfSession, { sessionId });
  if (identity === undefined) return undefined;
  // A provider that is down does not keep people signed in here.
  const url = await signIn
    .signOut(identity, hint)
    .catch((error: unknown) => log.info({ err: error }, 'no sign-out'));
  return url instanceof URL ? url.href : signedOutPage;
}
