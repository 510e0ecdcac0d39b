import type { IncomingHttpHeaders } from 'node:http';
import { ActionError } from '@corral/contract';

/**
 * Requires that a request with the session cookie comes from the console's own pages: by Sec-Fetch-Site, or by Origin where the browser
 * does not send that header. Throws an `ActionError` of kind Forbidden.
 */
export function checkSameOrigin(headers: IncomingHttpHeaders, publicOrigin: string): void {
  const site = headers['sec-fetch-site'];
  if (site === 'same-origin') return;
  if (site !== undefined)
    throw new ActionError(
      'Forbidden',
      "This request was not made by the console's own pages and was refused.",
    );
  if (headers.origin === publicOrigin) return;
  if (headers.origin === undefined)
    throw new ActionError(
      'Forbidden',
      'This request does not say which page made it (Sec-Fetch-Site or Origin) and was refused.',
    );
  throw new ActionError(
    'Forbidden',
    `This request was made by a page of another origin than ${publicOrigin} and was refused.`,
  );
}
