import { ActionError, errorKinds } from '@corral/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '../log/log.ts';

/** The media type of every answer of the API. */
export const jsonMediaType = 'application/json; charset=utf-8';

/** Sends a failure as an error body of the contract; anything but an `ActionError` is logged and sent as Internal. */
export function sendFailure(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const failure = toActionError(log, error, request);
  if (failure.requestId !== undefined) reply.header('x-request-id', failure.requestId);
  if (failure.retryAfterSecs !== undefined) reply.header('retry-after', String(failure.retryAfterSecs));
  // Do not wait for the unread rest of the body.
  if (!request.raw.complete) reply.header('connection', 'close');
  reply.code(errorKinds[failure.kind].status).type(jsonMediaType).send(JSON.stringify(failure.toBody()));
}

/** The refusal of a body whose Content-Type is not JSON. */
export function notJson(): ActionError {
  return new ActionError('Invalid', 'Send the body with the header Content-Type: application/json.');
}

function toActionError(log: Log, error: unknown, request: FastifyRequest): ActionError {
  if (error instanceof ActionError) return error;
  const code = (error as { code?: unknown } | null)?.code;
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return notJson();
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  if (typeof status === 'number' && status >= 400 && status < 500)
    return new ActionError('Invalid', 'The request is malformed.');
  const { id: requestId, method, routeOptions } = request;
  log.error({ err: error, requestId, method, route: routeOptions?.url }, 'a request failed');
  return new ActionError('Internal', 'Something went wrong in the hub.', { requestId });
}
