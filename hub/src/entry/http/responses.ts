import { ActionError, errorKinds } from '@corral/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isLoopback } from '../../config/addresses.ts';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../platform/log/log.ts';

/** The fixed response headers by kind of route. */
interface HeaderSets {
  /** For every answer. */
  readonly everywhere: Readonly<Record<string, string>>;
  /** For the API and the health and metrics routes. */
  readonly api: Readonly<Record<string, string>>;
  readonly pages: Readonly<Record<string, string>>;
}

/** Creates the fixed headers. */
export function headerSets(config: Config, version: string): HeaderSets {
  const everywhere = {
    'x-corral-version': version,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // Browsers complain about this header where the origin is not trustworthy.
    ...(config.isInsecure ? {} : { 'cross-origin-opener-policy': 'same-origin' }),
    ...strictTransport(config.publicUrl),
  };
  return {
    everywhere,
    api: {
      ...everywhere,
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    },
    pages: { ...everywhere, 'content-security-policy': contentSecurityPolicy(config) },
  };
}

function strictTransport(publicUrl: string): Record<string, string> {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol !== 'https:' || isLoopback(hostname)) return {};
  return { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };
}

function contentSecurityPolicy({ scripts, publicUrl }: Config): string {
  const own = new URL(publicUrl).origin;
  const origins = new Set(
    scripts.map(({ src }) => new URL(src, publicUrl).origin).filter((one) => one !== own),
  );
  return [
    "default-src 'self'",
    ["script-src 'self'", ...origins].join(' '),
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ');
}

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
