import { ActionError } from '@corral/contract';
import type { FastifyInstance } from 'fastify';
import { type Answer, type Given, type HubCaller, systemCaller } from '../../calls/handler.ts';
import { StepUp } from '../../domains/users/internal/StepUp.ts';
import { callerOf, type HttpContext, identify } from './identity.ts';
import { anonymousBodyBytes, countingRefusals, readJson } from './invoke.ts';
import { jsonMediaType } from './responses.ts';
import { rememberSecs } from './sign-in.ts';

const methods = { password: 'password', code: 'totp', recoveryCode: 'recoveryCode' } as const;
const maxTypedLength = 1_000;

/** `POST /api/private/step-up`: takes a password, a code or a recovery code as a new proof of who has the session, and replaces its cookie. */
export function addStepUpRoute(server: FastifyInstance, context: HttpContext): void {
  server.post('/api/private/step-up', async (request, reply) => {
    const identity = await identify(context, request.raw);
    const { userId, sessionId } = identity;
    if (userId === undefined) throw new ActionError('NotSignedIn', 'Not logged in.');
    if (sessionId === undefined)
      throw new ActionError('Forbidden', 'A user token cannot confirm who you are. Sign in.');
    const proof = readProof(
      await readJson(request.raw, { maxBytes: anonymousBodyBytes, isAnonymous: false }),
    );
    const { origin } = callerOf(context, identity, request.raw);
    const caller = { ...systemCaller, origin: origin.ip === undefined ? {} : { ip: origin.ip } };
    const answered = stepUp(context, caller, { userId, sessionId, ...proof });
    const { sessionToken, expiresInSecs, validForSecs } = await countingRefusals(
      context,
      request.raw,
      userId,
      answered,
    );
    context.sessions.noteIssued(sessionToken, userId);
    const isRemembered = validForSecs >= rememberSecs;
    reply.header('set-cookie', context.cookie.write(sessionToken, isRemembered ? expiresInSecs : undefined));
    reply.type(jsonMediaType);
    return '{}';
  });
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

function readProof(body: unknown): {
  readonly method: 'password' | 'totp' | 'recoveryCode';
  readonly typed: string;
} {
  const given = Object.entries(methods).flatMap(([field, method]) => {
    const typed = ((body ?? {}) as Record<string, unknown>)[field];
    return typed === undefined ? [] : [{ method, typed }];
  });
  const [proof] = given;
  if (proof === undefined || given.length > 1)
    throw new ActionError('Invalid', 'Give one of password, code and recoveryCode.');
  const { method, typed } = proof;
  if (typeof typed === 'string' && typed.trim() !== '' && typed.length <= maxTypedLength)
    return { method, typed };
  throw new ActionError(
    'Invalid',
    method === 'password' ? 'Please enter your password.' : 'Please enter a code.',
  );
}
