import type { IncomingMessage, ServerResponse } from 'node:http';
import { failureOf } from './access.ts';
import { ownHeaders } from './failure-page.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import { admit, hostNameOf, type Site } from './site.ts';

const hub = { actor: { actor: 'System', kind: 'System' }, origin: {} } as const;

/** Turns the token in an address into a cookie and leads to the address without it. Rejected with a ProxyFailure. */
export async function enter(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  { token, path }: { token: string; path: string },
): Promise<void> {
  // Programs that only look at a link would use it up.
  if (request.method !== 'GET') throw new ProxyFailure('unsupported');
  const cookie = await redeem(site, request, token);
  response.writeHead(303, {
    ...ownHeaders,
    ...(cookie === undefined ? {} : { 'set-cookie': cookie }),
    location: path,
    'content-length': 0,
  });
  response.end();
}

/** The cookie to set; none where the browser holds a good one and only came by its old link again. */
async function redeem(site: Site, request: IncomingMessage, token: string): Promise<string | undefined> {
  const answer = await site.parts.executor
    .invoke(hub, 'devices_RedeemDeviceHttpProxyToken', { jwt: token })
    .catch(() => {
      throw new ProxyFailure('notReady');
    });
  if (answer.result === 'Invalid') {
    if (await isIn(site, request)) return undefined;
    throw failureOf(answer);
  }
  if (answer.hostname !== hostNameOf(request.headers.host)) throw new ProxyFailure('noToken');
  return site.cookie.write(answer.accessToken, answer.validForSecs);
}

async function isIn(site: Site, request: IncomingMessage): Promise<boolean> {
  try {
    await admit(site, request);
    return true;
  } catch (error) {
    if (error instanceof ProxyFailure) return false;
    throw error;
  }
}
