import type { IncomingMessage, ServerResponse } from 'node:http';
import { systemCaller } from '../../calls/handler.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import { failureOf } from './access.ts';
import { proxyHeaders } from './failure-page.ts';
import { authorize, hostNameOf, type ProxyContext } from './proxy-context.ts';
import { RedeemDeviceHttpProxyToken } from '../../domains/devices/internal/RedeemDeviceHttpProxyToken.ts';

/** Exchanges the entry token of a URL for a cookie and redirects to the URL without the token. Rejects with a ProxyFailure. */
export async function redeemEntryToken(
  context: ProxyContext,
  request: IncomingMessage,
  response: ServerResponse,
  { token, path }: { token: string; path: string },
): Promise<void> {
  // A link preview that sends HEAD must not redeem the token.
  if (request.method !== 'GET') throw new ProxyFailure('unsupported');
  const cookie = await cookieFor(context, request, token);
  response.writeHead(303, {
    ...proxyHeaders,
    ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
    location: path,
    'content-length': 0,
  });
  response.end();
}

/** The cookie to set; undefined when the browser opened a used link again and still has a valid cookie. */
async function cookieFor(
  context: ProxyContext,
  request: IncomingMessage,
  token: string,
): Promise<string | undefined> {
  const redemption = await context.parts.executor
    .run(systemCaller, RedeemDeviceHttpProxyToken, { jwt: token })
    .catch(() => {
      throw new ProxyFailure('notReady');
    });
  if (redemption.result === 'Invalid') {
    if (await isAuthorized(context, request)) return undefined;
    throw failureOf(redemption);
  }
  if (redemption.hostname !== hostNameOf(request.headers.host)) throw new ProxyFailure('noToken');
  // Otherwise the next request of the browser would be paced with the anonymous requests of its network.
  context.checks.noteIssued(redemption.accessToken, redemption.hostname);
  return context.cookie.write(redemption.accessToken, redemption.validForSecs);
}

async function isAuthorized(context: ProxyContext, request: IncomingMessage): Promise<boolean> {
  try {
    await authorize(context, request);
    return true;
  } catch (error) {
    if (error instanceof ProxyFailure) return false;
    throw error;
  }
}
