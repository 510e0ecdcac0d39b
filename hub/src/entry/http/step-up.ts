import type { IncomingMessage } from 'node:http';
import { ActionError, type PasskeyAssertion } from '@corral/contract';
import type { FastifyInstance } from 'fastify';
import { type Answer, type Given, type HubCaller, systemCaller } from '../../calls/handler.ts';
import { BeginPasskeyStepUp } from '../../domains/users/internal/BeginPasskeyStepUp.ts';
import { StepUp } from '../../domains/users/internal/StepUp.ts';
import { renewedCookie } from './enter-session.ts';
import { callerOf, type HttpContext, identify } from './identity.ts';
import { anonymousBodyBytes, countingRefusals, mustBeJson, readJson } from './invoke.ts';
import { jsonMediaType } from './responses.ts';
import { readAssertion } from './sign-in.ts';

const methods = { password: 'password', code: 'totp', recoveryCode: 'recoveryCode' } as const;
const maxTypedLength = 1_000;

/** `POST /api/private/step-up`: takes a password, a code, a recovery code or a passkey as a new proof of who has the session, and replaces its cookie. */
export function addStepUpRoute(server: FastifyInstance, context: HttpContext): void {
  server.post('/api/private/step-up/passkey', async (request, reply) => {
    const { userId, sessionId } = await mustHaveSession(context, request.raw);
    mustBeJson(request.raw);
    request.raw.resume();
    reply.type(jsonMediaType);
    return JSON.stringify(
      await context.executor.run(systemCaller, BeginPasskeyStepUp, { userId, sessionId }),
    );
  });

  server.post('/api/private/step-up', async (request, reply) => {
    const { userId, sessionId, identity } = await mustHaveSession(context, request.raw);
    const proof = readProof(
      await readJson(request.raw, { maxBytes: anonymousBodyBytes, isAnonymous: false }),
    );
    const { origin } = callerOf(context, identity, request.raw);
    const caller = { ...systemCaller, origin: origin.ip === undefined ? {} : { ip: origin.ip } };
    const answered = stepUp(context, caller, { userId, sessionId, ...proof });
    const renewed = await countingRefusals(context, request.raw, userId, answered);
    reply.header('set-cookie', renewedCookie(context, userId, renewed));
    reply.type(jsonMediaType);
    return '{}';
  });
}

async function mustHaveSession(context: HttpContext, request: IncomingMessage) {
  const identity = await identify(context, request);
  const { userId, sessionId } = identity;
  if (userId === undefined) throw new ActionError('NotSignedIn', 'Not logged in.');
  if (sessionId === undefined)
    throw new ActionError('Forbidden', 'A user token cannot confirm who you are. Sign in.');
  return { userId, sessionId, identity };
}

async function stepUp(
  { executor }: HttpContext,
  caller: HubCaller,
  given: Given<typeof StepUp>,
): Promise<Extract<Answer<typeof StepUp>, { result: 'SteppedUp' }>> {
  const answer = await executor.run(caller, StepUp, given);
  if (answer.result === 'Ended') throw new ActionError('NotSignedIn', 'Not logged in.');
  if (answer.result === 'Refused') throw new ActionError('Invalid', answer.sentence);
  return answer;
}

type Proof =
  | { readonly method: 'password' | 'totp' | 'recoveryCode'; readonly typed: string }
  | { readonly method: 'passkey'; readonly assertion: PasskeyAssertion };

function readProof(body: unknown): Proof {
  const { passkey } = (body ?? {}) as Record<string, unknown>;
  if (passkey !== undefined) return { method: 'passkey', assertion: readAssertion(passkey) };
  const given = Object.entries(methods).flatMap(([field, method]) => {
    const typed = ((body ?? {}) as Record<string, unknown>)[field];
    return typed === undefined ? [] : [{ method, typed }];
  });
  const [proof] = given;
  if (proof === undefined || given.length > 1)
    throw new ActionError('Invalid', 'Give one of password, code, recoveryCode and passkey.');
  const { method, typed } = proof;
  if (typeof typed === 'string' && typed.trim() !== '' && typed.length <= maxTypedLength)
    return { method, typed };
  throw new ActionError(
    'Invalid',
    method === 'password' ? 'Please enter your password.' : 'Please enter a code.',
  );
}
