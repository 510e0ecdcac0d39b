import type { IncomingHttpHeaders } from 'node:http';
import { ActionError } from '@corral/contract';
import { isLoopback } from '../config/addresses.ts';
import type { HttpContext } from './http-context.ts';

/**
 * Requires that a request with the session cookie comes from the console's own pages: by Sec-Fetch-Site, or by Origin where the browser
 * does not send that header, as on plain HTTP. Throws an `ActionError` of kind Forbidden.
 */
export function checkSameOrigin(
  headers: IncomingHttpHeaders,
  context: Pick<HttpContext, 'publicOrigin' | 'config'>,
): void {
  const publicOrigin = context.publicOrigin();
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return;
  if (site !== undefined)
    throw new ActionError(
      'Forbidden',
      "This request was not made by the console's own pages and was refused.",
    );
  if (headers.origin === publicOrigin || isServedOrigin(headers, context)) return;
  if (headers.origin === undefined)
    throw new ActionError(
      'Forbidden',
      'This request does not say which page made it (Sec-Fetch-Site or Origin) and was refused.',
    );
  throw new ActionError(
    'Forbidden',
    `This request was made by a page of another origin than ${publicOrigin} and was refused. Open the console at that address.`,
  );
}

/** Whether the page is of the requested host, which the hub serves, and the browser keeps the session's cookie there. */
function isServedOrigin(
  { origin = '', host = '' }: IncomingHttpHeaders,
  { publicOrigin, config: { isInsecure } }: Pick<HttpContext, 'publicOrigin' | 'config'>,
): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  const own = `${protocol}//${host}`;
  if (!URL.canParse(own) || new URL(own).origin !== origin) return false;
  return (
    protocol === 'https:' || (publicOrigin().startsWith('http:') && (isInsecure || isLoopback(hostname)))
  );
}
